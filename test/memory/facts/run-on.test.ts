import { expect, test } from 'vitest'
import { factsIn } from './facts-in.ts'

test.each([
  ['a contrast', 'I want my boat painted but its such a long wait.', "Ida | wants | Ida's boat painted"],
  ['a contrast after a description', 'I saw many plays, but the best one was in Leeds.', 'Ida | saw | many plays'],
  ['a conclusion', "I adopted a cat from Leeds that's why I stayed in.", 'Ida | adopted | a cat from Leeds'],
  ['thanks', 'I joined a choir in May thanks for asking.', 'Ida | joined | a choir in May'],
  ['a place', "I like old harbours, in Leeds I've been to one.", 'Ida | likes | old harbours'],
  ['an activity', "I don't dive, but rowing at dawn helps me think.", "Ida | doesn't | dive"],
  ['a verdict', 'I grow old roses they smell lovely.', 'Ida | grows | old roses'],
  ['a result', 'I am a fan of Lee so the noise in the hall is fine.', 'Ida | is | a fan of Lee'],
  ['a result after a comma', 'I sorted my old maps, so that felt good.', "Ida | sorted | Ida's old maps"],
  ['a result without a verb', "I'm a cook in Bray, so still a lot to learn.", 'Ida | is | a cook in Bray'],
  [
    'a remark',
    'I saw the old springs in Leeds (two of them) and it was lovely.',
    'Ida | saw | the old springs in Leeds (two of them)'
  ],
  ['a second subject', 'I sold my boat, and the idea of rowing again is odd.', "Ida | sold | Ida's boat"]
])('ends a value before %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})

test.each([
  [
    'a participle of a thing',
    'My morning iced latte really helps me.',
    "Ida | is helped by | Ida's morning iced latte"
  ],
  ['a list with either', 'We are considering either Bray or Howth.', 'Ida | is considering | either Bray or Howth'],
  ['a state with its first word only', 'I came home sore but enlightened about my limits.', 'Ida | came | home sore'],
  ['since as an adverb', 'I have since found rowing useful.', 'Ida | has since found | rowing useful'],
  ['a direction', 'We moved down to the south.', 'Ida | moved down to | the south'],
  ['a thing with its description', 'I drew that harbour view in May.', 'Ida | drew | the harbour view in May'],
  [
    'one time once',
    "For my aunt's party last Friday we baked scones.",
    "Ida | baked | scones for Ida's aunt's party last Friday"
  ],
  ['no words that refer to earlier ones', 'On top of that, I sold my boat.', "Ida | sold | Ida's boat"]
])('reads %s as a part of the statement', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toEqual([fact])
})

test.each([
  ['a denial without its object', "I haven't flown either, but I may."],
  ['a thing that is left out', 'Tasted like soap.'],
  ['what only several persons are', 'We are rival teams.'],
  ['an object in another sentence', 'I got a week ago in Bray.'],
  ['the end of a name', 'Alba No Wax polish is a smart move against dust.'],
  ['what unnamed things bring', 'I love the sense of wonder they often bring.'],
  ['a person whom it does not name', 'I already invited her over for my party.'],
  ['the statement of an unnamed person', 'I found out he stole a car in Bray.'],
  ['a thing that is only pointed at', 'I really loved that look as well!'],
  ['one of two things', 'I will keep the idea of old pink or lavender highlights in mind.'],
  ['a game with half its name', 'We are playing truth or dare.'],
  ['a verb that stands for another', 'Maybe not now, but we did for the food.'],
  ['a verb in a title', 'These are the best scenes: Ann Lee singing for One Flew Over the Hill.']
])('gives no fact about %s', (_what, text) => {
  expect(factsIn(text, 'Ida').filter((fact) => !fact.includes('finds'))).toEqual([])
})
