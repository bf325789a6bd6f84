import { expect, test } from 'vitest'
import { proceduresIn } from './procedures-in.ts'

function howTos(text: string, title?: string) {
  return proceduresIn(text, { title })
    .filter(({ kind }) => kind === 'how_to')
    .map(({ rule, statement, steps }) => ({ rule, statement, steps }))
}

test('reads a numbered list under a title as a how-to with its steps in order', () => {
  expect(howTos('How to descale the kettle\n1. Fill it with vinegar.\n2. Boil it.\n3. Rinse it twice.')).toEqual([
    {
      rule: 'how-to.titled-list',
      statement: 'How to descale the kettle',
      steps: ['Fill it with vinegar.', 'Boil it.', 'Rinse it twice.']
    }
  ])
})

test('adds the topic to a title of one word', () => {
  expect(howTos('# Rye bread\n\n## Method\n1. Mix everything\n2. Bake it')[0]?.statement).toBe('Rye bread: Method')
})

test("names a numbered list of instructions without a title by the text's title or its first step", () => {
  const text = '1. Open the valve\n2. Drain the tank\n3. Close the valve'
  expect(howTos(text, 'Winter care')[0]?.statement).toBe('Winter care')
  expect(howTos(text)[0]).toMatchObject({ rule: 'how-to.step-list', statement: 'Open the valve' })
})

test('reads bullets as steps if their title announces steps and they are instructions', () => {
  expect(howTos('Steps to fix the printer:\n- Turn it off\n- Open the tray\n- Remove the paper')[0]).toMatchObject({
    rule: 'how-to.titled-list',
    steps: ['Turn it off', 'Open the tray', 'Remove the paper']
  })
})

test('takes the name of a list from a sentence that ends in a colon', () => {
  expect(
    howTos('The pump is old. I told them how to start it:\n\n1. Prime the pump\n2. Press the switch')[0]
  ).toMatchObject({
    statement: 'I told them how to start it'
  })
})

test('reads numbered lists under titles of other languages as how-tos', () => {
  expect(howTos('# Anleitung\n\n1. Ventil öffnen\n2. Tank leeren')[0]).toMatchObject({
    rule: 'how-to.titled-list',
    steps: ['Ventil öffnen', 'Tank leeren']
  })
})

test('reads steps from the top level only, and starts another how-to where numbers restart', () => {
  const text = '1. Open the lid\n   - slowly\n2. Fill the tank\n\n1. Close the lid\n2. Press the switch'
  expect(howTos(text).map(({ steps }) => steps)).toEqual([
    ['Open the lid', 'Fill the tank'],
    ['Close the lid', 'Press the switch']
  ])
})

test('reads instructions below an announcing title as steps', () => {
  expect(
    howTos('To bake rye bread:\nMix the flour and water. Leave it overnight. Bake it for an hour. It keeps a week.')
  ).toEqual([
    {
      rule: 'how-to.under-heading',
      statement: 'To bake rye bread',
      steps: ['Mix the flour and water.', 'Leave it overnight.', 'Bake it for an hour.']
    }
  ])
})

test('reads first, then and finally over several sentences as a how-to', () => {
  expect(
    howTos('First boil the water, then add the salt and stir. Finally turn off the heat. It tastes good.')
  ).toEqual([
    {
      rule: 'how-to.sequence',
      statement: 'First boil the water, then add the salt and stir',
      steps: ['boil the water', 'add the salt', 'stir', 'turn off the heat']
    }
  ])
  expect(howTos('Here is how to prune roses. First cut the dead wood. After that, water the bed.')[0]).toMatchObject({
    statement: 'how to prune roses',
    steps: ['cut the dead wood', 'water the bed']
  })
})

test('reads an aim and its instructions as a how-to', () => {
  expect(howTos('To reset the router, hold the button for ten seconds.')).toEqual([
    {
      rule: 'how-to.purpose',
      statement: 'To reset the router, hold the button for ten seconds',
      steps: ['hold the button for ten seconds']
    }
  ])
  expect(howTos('In order to open the gate, you need to lift the bolt, then pull it.')[0]?.steps).toEqual([
    'lift the bolt',
    'pull it'
  ])
  expect(howTos('If you want to leave, press the red button.')).toHaveLength(1)
})

test('gives a how-to the span from its title to its last step', () => {
  const text = 'Hello.\n\nTo leave the shed:\n1. Switch off the lamp\n2. Lock the door\n\nBye.'
  const [found] = proceduresIn(text)
  expect(text.slice(...(found?.span ?? [0, 0]))).toBe('To leave the shed:\n1. Switch off the lamp\n2. Lock the door')
})

test('does not read a step as a rule as well', () => {
  const text = 'Steps:\n1. Always close the lid\n2. Press the switch when the light is green'
  expect(proceduresIn(text).map(({ kind }) => kind)).toEqual(['how_to'])
})

test.each([
  ['a ranking', 'Top films:\n1. Alien\n2. Heat\n3. Ran'],
  ['ingredients', 'Recipe:\n- two eggs\n- a cup of flour'],
  ['a shopping list', 'To buy:\n- milk\n- bread'],
  ['a single event', 'First we went to the shop, then we ate cake. Finally we slept.'],
  ['a figure of speech', 'To be honest, call it a day. To tell you the truth, I hate it.'],
  ['a wish', 'To stay warm, she wore two coats. To win, we need luck.'],
  ['a question', 'To open it, do you pull? First boil the water, then add the salt?'],
  ['one instruction', 'First boil the water.'],
  ['a requirement for a thing', 'To work well, name and address must be given.'],
  ['answers', '1. Yes, I agree with it\n2. It is too late for that']
])('does not read %s as a how-to', (_what, text) => {
  expect(howTos(text)).toEqual([])
})
