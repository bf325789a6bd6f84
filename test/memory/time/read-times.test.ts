import { expect, test } from 'vitest'
import { readTimes } from '../../../src/memory/time/read-times.ts'
import { said, saidAnyTime } from './said.ts'

test.each([
  ['We painted the fence yesterday.', '[yesterday] 2023-03-14/2023-03-15 day instant'],
  ['The day before yesterday it hailed.', '[The day before yesterday] 2023-03-13/2023-03-14 day instant'],
  ['Somebody rang last night.', '[last night] 2023-03-14/2023-03-15 day instant'],
  ['The cake is for tonight.', '[tonight] 2023-03-15/2023-03-16 day instant'],
  ['I saw a heron the other day.', '[the other day] 2023-03-08/2023-03-15 week instant']
])('resolves days relative to the time of the text: %s', (text, expected) => {
  expect(said(text)).toBe(expected)
})

test.each([
  ['We ate out last Friday.', '[last Friday] 2023-03-10/2023-03-11 day instant'],
  ['The shelf fell down on Wednesday.', '[Wednesday] 2023-03-08/2023-03-09 day instant'],
  ['We will ship on Friday.', '[Friday] 2023-03-17/2023-03-18 day instant'],
  ['The meeting is next Tuesday.', '[next Tuesday] 2023-03-21/2023-03-22 day instant'],
  ['I need it by Monday.', '[by Monday] …/2023-03-21 day range until'],
  ['It rained the Friday before last.', '[the Friday before last] 2023-03-03/2023-03-04 day instant'],
  ['Tuesday of last week was calm.', '[Tuesday of last week] 2023-03-07/2023-03-08 day instant']
])('resolves a weekday by the tense or the preceding word: %s', (text, expected) => {
  expect(said(text)).toBe(expected)
})

test.each([
  ['Two weeks ago the roof leaked.', '[Two weeks ago] 2023-02-27/2023-03-06 week instant'],
  ['She called an hour ago.', '[an hour ago] 2023-03-15T09:00/2023-03-15T10:00 hour instant'],
  ['It began a couple of months ago.', '[a couple of months ago] 2023-01-01/2023-02-01 month instant'],
  ['A few days ago we met.', '[A few days ago] 2023-03-10/2023-03-14 week instant'],
  ['The week before last was dull.', '[The week before last] 2023-02-27/2023-03-06 week instant'],
  ['We will move in three months.', '[in three months] 2023-06-01/2023-07-01 month instant'],
  ['Sales rose over the past three months.', '[the past three months] 2022-12-15T10:30/2023-03-15T10:30 month range'],
  ['Next month we close.', '[Next month] 2023-04-01/2023-05-01 month instant'],
  ['We hiked last weekend.', '[last weekend] 2023-03-11/2023-03-13 day instant'],
  ['I am busy this weekend.', '[this weekend] 2023-03-18/2023-03-20 day instant'],
  ['Friday two weeks ago he fell.', '[Friday two weeks ago] 2023-03-03/2023-03-04 day instant']
])('counts units in the calendar, with the precision of the words: %s', (text, expected) => {
  expect(said(text)).toBe(expected)
})

test.each([
  ['In May we wed.', '[May] 2022-05-01/2022-06-01 month instant'],
  ['In May we will wed.', '[May] 2023-05-01/2023-06-01 month instant'],
  ['It opened in May of 2019.', '[May of 2019] 2019-05-01/2019-06-01 month instant'],
  ['We sailed last summer.', '[last summer] 2022-06-01/2022-09-01 season instant'],
  ['Last winter was mild.', '[Last winter] 2021-12-01/2022-03-01 season instant', '2022-11-01T00:00:00.000Z'],
  ['In the summer of 2019 it was dry.', '[the summer of 2019] 2019-06-01/2019-09-01 season instant'],
  ['It ran from January to June 2025.', '[from January to June 2025] 2025-01-01/2025-07-01 month range'],
  ['Closed December to March 2021.', '[December to March 2021] 2020-12-01/2021-04-01 month range'],
  ['Two summers ago it was dry.', '[Two summers ago] 2021-06-01/2021-09-01 season instant'],
  ['They married in June three years ago.', '[June three years ago] 2020-06-01/2020-07-01 month instant'],
  ['It may rain, and they march on; April said so.', '']
])('takes the year of months and seasons from the tense: %s', (text, expected, at = undefined) => {
  expect(at === undefined ? said(text) : said(text, { at })).toBe(expected)
})

test.each([
  ['In 2019 we moved.', '[2019] 2019-01-01/2020-01-01 year instant'],
  ['He has worked here since 2016.', '[since 2016] 2016-01-01/… year range since'],
  ['She sang in the 90s.', '[the 90s] 1990-01-01/2000-01-01 year range'],
  ['From 2016 to 2019 it stood empty.', '[From 2016 to 2019] 2016-01-01/2020-01-01 year range'],
  ['It sold 2019 units and 1500 books.', ''],
  ['Before 2010 nobody knew.', '[Before 2010] …/2010-01-01 year range before']
])('requires a marker for years and decades: %s', (text, expected) => {
  expect(said(text)).toBe(expected)
})

test.each([
  ['Born 2001-04-09.', '[2001-04-09] 2001-04-09/2001-04-10 day instant'],
  ['Signed on May 5th, 2021 at 5pm.', '[May 5th, 2021 at 5pm] 2021-05-05T17:00/2021-05-05T18:00 hour instant'],
  ['Log 2023-05-06 10:15 started', '[2023-05-06 10:15] 2023-05-06T10:15/2023-05-06T10:16 minute instant'],
  ['Paid 05/06/2021.', '[05/06/2021] 2021-05-06/2021-05-07 day instant'],
  ['Bezahlt am 5.6.2021.', '[5.6.2021] 2021-06-05/2021-06-06 day instant'],
  ['Version 10.4.20 is out.', ''],
  ['Paid 13/06/2021.', '[13/06/2021] 2021-06-13/2021-06-14 day instant'],
  ['We went from Dec 28, 2020 to Jan 3, 2021.', '[from Dec 28, 2020 to Jan 3, 2021] 2020-12-28/2021-01-04 day range']
])('resolves complete dates without further context: %s', (text, expected) => {
  expect(saidAnyTime(text)).toBe(expected)
})

test.each([
  ['We met on 3 June.', '[on 3 June] 2022-06-03/2022-06-04 day instant'],
  ['We will meet on 3 June.', '[on 3 June] 2023-06-03/2023-06-04 day instant'],
  ['He fell on Feb 29.', '[Feb 29] 2020-02-29/2020-03-01 day instant'],
  ['See you tomorrow at 5pm!', '[tomorrow at 5pm] 2023-03-16T17:00/2023-03-16T18:00 hour instant'],
  ['On Friday at 3pm I will call.', '[Friday at 3pm] 2023-03-17T15:00/2023-03-17T16:00 hour instant'],
  ['We left tomorrow at noon.', '[tomorrow at noon] 2023-03-16T12:00/2023-03-16T13:00 hour instant'],
  ['On the 5th we signed.', '[On the 5th] 2023-03-05/2023-03-06 day instant'],
  ['She is on the 5th floor with 1/2 cup of tea, open 24/7, at version 10.4.2.', '']
])('completes partial dates from the time of the text: %s', (text, expected) => {
  expect(said(text)).toBe(expected)
})

test.each(['on February 30', 'on 31 April 2021', '2021-02-30', 'February 29, 2023', '99999999 years ago'])(
  'rejects a date that does not exist: %s',
  (text) => {
    expect(readTimes(text, { at: '2023-03-15T10:30:00.000Z' })).toEqual([])
  }
)

test.each([
  ['At Christmas we flew home.', '[Christmas] 2022-12-25/2022-12-26 day instant'],
  ['It was on Thanksgiving 2022.', '[Thanksgiving 2022] 2022-11-24/2022-11-25 day instant'],
  ['Easter 2024 was early.', '[Easter 2024] 2024-03-31/2024-04-01 day instant'],
  ['The week before Christmas it snowed.', '[The week before Christmas] 2022-12-12/2022-12-19 week instant'],
  ['We bought a Christmas tree.', '']
])('resolves feasts to their day: %s', (text, expected) => {
  expect(said(text)).toBe(expected)
})

test.each([
  ['Every Tuesday at 5pm we rehearse.', '[Every Tuesday at 5pm] …/… day recurring'],
  ['On Sundays she bakes.', '[On Sundays] …/… day recurring'],
  ['We meet weekly.', '[weekly] …/… week recurring'],
  ['Each morning he runs.', '[Each morning] …/… day recurring'],
  ['I swim twice a week.', '[twice a week] …/… week recurring'],
  ['He slept for nine hours.', '[for nine hours] …/… hour duration'],
  ['I have lived here for seven years.', '[for seven years] 2016-01-01/… year range since'],
  ['It has been dry for 7 years now.', '[for 7 years now] 2016-01-01/… year range since']
])('gives recurring and lasting times no point in time, unless they continue: %s', (text, expected) => {
  expect(said(text)).toBe(expected)
})

test('resolves only absolute times without a time of the text', () => {
  expect(saidAnyTime('Yesterday, last week and two days ago I slept; in 2019 I did not.')).toBe(
    '[2019] 2019-01-01/2020-01-01 year instant'
  )
})

test('prefers the tense given by the caller over the words', () => {
  expect(said('Friday', { tense: 'future' })).toBe('[Friday] 2023-03-17/2023-03-18 day instant')
  expect(said('Friday', { tense: 'past' })).toBe('[Friday] 2023-03-10/2023-03-11 day instant')
})

test('counts positions in the whole text and reads only the section', () => {
  const text = 'Yesterday 🎉 we won. Tomorrow we rest.'
  const times = readTimes(text, { from: text.indexOf('Tomorrow'), at: '2023-03-15T10:30:00.000Z' })
  expect(times.map(({ start, end }) => text.slice(start, end))).toEqual(['Tomorrow'])
})

test.each([
  ['We sail on Monday for two weeks.', '[Monday for two weeks] 2023-03-13/2023-03-27 day range'],
  ['In the coming weeks we sail.', '[the coming weeks] 2023-03-15T10:30/2023-04-19T10:30 week range'],
  ['We stayed up until 2 am last night.', '[until 2 am last night] …/2023-03-15T02:00 hour range until'],
  ['I will pay by 1 February.', ''],
  ['I have slept badly for a week.', '[for a week] 2023-03-08/… week range since']
])('reads what lasts, and days that are not named fully: %s', (text, expected) => {
  expect(said(text)).toBe(expected)
})
