import { HOSTILE_MAILS } from './seed-hostile.ts'
import { mailingList, newsletter, receipts } from './seed-series.ts'
import type { SeedMailbox } from './seed-story.ts'

const MADS = 'Mads Østergård <mads@stenhuggeriet.example>'
const AIKO = '森 愛子 <aiko.mori@example.jp>'
const FUND = 'Heritage Fund <grants@heritagefund.example>'

/** Who restores old buildings, gets mail in several languages, and is sent what breaks programs. */
export const CLIO: SeedMailbox = {
  id: 'clio',
  name: 'Clio Jensen',
  email: 'Clio.Jensen@example.org',
  threads: [
    {
      subject: 'Granit til trappen',
      daysAgo: 88,
      mails: [
        {
          from: MADS,
          text: 'Hej Clio,\n\nde nye trin er hugget: 14 stk., 120 x 34 x 16 cm, Bornholmsk granit. Vi kan levere den 3. marts, hvis vejen er farbar.\n\nHilsen\nMads'
        },
        {
          hours: 4,
          quotes: true,
          text: 'Hej Mads,\n\nperfekt. Kranen kommer kl. 8. Vejen er åben igen siden i går.\n\nClio'
        },
        { from: MADS, hours: 30, quotes: true, text: 'Så ses vi. Prisen er som aftalt 42.500 kr. plus moms.' }
      ]
    },
    {
      subject: 'Grant for the mill: decision',
      daysAgo: 60,
      labels: ['IMPORTANT', 'STARRED'],
      mails: [
        {
          from: FUND,
          text: 'Dear Ms Jensen,\n\nwe are pleased to support the restoration of the Aarup water mill with 180,000 kroner. The first half is paid when work begins, the second after our inspection.\n\nWork must begin before 1 July and follow the plan of 12 January. Changes to the roof need our consent.\n\nHeritage Fund'
        },
        {
          hours: 7,
          quotes: true,
          text: 'Thank you so much! We begin on 2 May with the wheel. The oak comes from the estate next door.'
        },
        { from: FUND, hours: 100, quotes: true, text: 'Noted. Your contact is Birgitte Lund, she visits on 9 June.' }
      ]
    },
    {
      subject: '水車の写真',
      daysAgo: 37,
      mails: [
        {
          from: AIKO,
          text: 'クリオさん、こんにちは。\n\n水車の古い写真を三枚送ります。1908年に祖父が撮ったものです。屋根は藁葺きでした。\n\n愛子',
          files: [{ name: '水車 1908.txt', type: 'text/plain', text: '写真の説明\n' }]
        },
        {
          hours: 9,
          quotes: true,
          text: 'Dear Aiko,\n\nthese are priceless! So it was thatch after all, not shingle. May we show them in the exhibition in August?\n\nClio'
        },
        { from: AIKO, hours: 20, quotes: true, text: 'もちろんです。Please name my grandfather: Mori Kenji.' }
      ]
    }
  ],
  series: [
    newsletter('Stone & Timber <news@stoneandtimber.example>'),
    mailingList(),
    newsletter('The Tidewater Letter <letter@tidewater.example>'),
    receipts(3)
  ],
  raw: HOSTILE_MAILS
}
