import { splitWords } from '../language/split-words.ts'

/**
 * Words of three or more letters that name no topic: function words and words of small talk. Shorter words are ignored
 * anyway.
 */
export const TOPIC_STOP_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    the, and, but, for, nor, yet, with, from, into, onto, over, under, about, after, before, that,
    this, these, those, there, here, then, than, when, where, while, what, which, who, whom, whose,
    why, how, you, your, yours, she, her, hers, him, his, its, our, ours, they, them, their, was,
    were, are, been, being, has, have, had, having, does, did, doing, don, didn, doesn, isn, wasn,
    aren, haven, hasn, won, can, could, couldn, should, would, will, shall, may, might, must, not,
    all, any, both, each, few, more, most, other, some, such, only, own, same, too, very, just, now,
    also, again, once, because, until, through, during, out, off, down, much, many, lot, lots, get,
    gets, got, getting, make, made, makes, making, really, well, yes, yeah, yep, hey, wow, thanks,
    thank, great, good, nice, cool, awesome, amazing, glad, sure, right, okay, like, love, think,
    know, see, say, said, tell, going, gonna, want, let, sounds, sound, been, thing, things,
    something, anything, everything, someone, one, two, way, bit, even, still, always, never, ever,
    back, what, far, definitely, totally, absolutely, actually, feel, feels, feeling, look, looks,
    looking, take
  `)
)
