import type { SeedWorkspace } from './seed-story.ts'

/** A small company that makes units for ships and buoys. */
export const ADA: SeedWorkspace = {
  name: 'Ada Moreau',
  email: 'ada.moreau@harbourlight.example',
  number: 1,
  team: 'Harbourlight',
  domain: 'harbourlight-sandbox',
  people: [
    ['ada', 'Ada Moreau', 'Ada', 'Product'],
    ['tomas', 'Tomas Varga', 'Tomas', 'Hardware'],
    ['priya', 'Priya Nair', 'Priya', 'Firmware'],
    ['jonas', 'Jonas Weber', '', 'Operations'],
    ['mei', 'Mei Tanaka', 'mei', 'Design']
  ],
  channels: [
    {
      name: 'general',
      topic: 'Everything that concerns all of us',
      talk: [
        [95, 540, 'join', ''],
        [
          95,
          545,
          'ada',
          'Good news &amp; cake: Northquay signed the pilot. Two ferries, Skarven and Tärnan, from 9 March.',
          [
            [4, 'tomas', 'Congratulations! Who goes on board?'],
            [9, 'ada', 'You and me. I booked the night train for the 8th.'],
            [12, 'jonas', 'I send the units ahead, customs takes three days.']
          ]
        ],
        [80, 600, 'mei', 'The new logo is on the drive. Please stop using the anchor one.'],
        [61, 615, 'jonas', 'Office is closed on 1 May. The alarm code changes that day, ask <@{tomas}> for it.'],
        [
          40,
          570,
          'ada',
          'Team day is on 19 June: sailing on the Havel, we meet at 9:30 at the Greenwich Sailing Hall pier.',
          [
            [20, 'priya', 'I cannot swim, is that a problem?'],
            [26, 'ada', 'Not at all, everybody wears a vest.'],
            [31, 'mei', '!I bring sandwiches for all, tell me if you eat no fish.']
          ]
        ],
        [12, 590, 'priya', 'I am on holiday from 4 to 15 May, <@{tomas}> covers for firmware.'],
        [3, 560, 'jonas', '<!channel> fire drill on Thursday at 11:00, leave your laptops where they are.']
      ]
    },
    {
      name: 'pilot-northquay',
      topic: 'Two ferries, from 9 March',
      talk: [
        [
          70,
          510,
          'tomas',
          'Skarven is fitted. The mast clamp had to be filed down by 2 mm, the drawing says 40 and it is 38.',
          [
            [15, 'priya', 'Signal?'],
            [18, 'tomas', 'Minus 71 dBm at the pier, minus 88 behind the breakwater.'],
            [40, 'ada', 'Good enough. Please put the clamp into the list for Tärnan.']
          ]
        ],
        [69, 500, 'tomas', 'Tärnan is fitted too. Photos: <https://files.harbourlight.example/tarnan|Tärnan bridge>'],
        [
          55,
          660,
          'priya',
          'The unit on Skarven restarts every night at 2:10. I suspect the watchdog &lt;-&gt; shore power switch.',
          [
            [120, 'priya', 'Found it: voltage drops to 19 V for 300 ms when they switch. Fix is in firmware 2.4.1.'],
            [1500, 'tomas', '2.4.1 is on both ferries, no restart last night.'],
            [2900, 'ada', 'Elin from Northquay says thank you. She decided to add the pilot boats in June.']
          ]
        ],
        [
          28,
          640,
          'ada',
          'Elin wants a weekly report on Mondays: distance, fuel, restarts. <@{mei}> can you make a page for it?',
          [
            [33, 'mei', 'Yes, first version on Friday. I need read access to the fleet database.'],
            [50, 'jonas', 'Granted, your key is in the vault under fleet-ro.']
          ]
        ],
        [8, 700, 'mei', 'Report page is live: https://reports.harbourlight.example/northquay'],
        [2, 480, 'bot', 'Unit 0117 on Skarven: battery at 12 %']
      ]
    },
    {
      name: 'firmware',
      topic: 'Releases and what broke',
      talk: [
        [66, 620, 'priya', 'From now on we release on Tuesdays only, and never from a laptop: the build server signs.'],
        [55, 780, 'bot', 'Build 2.4.1 passed in 7 min 12 s'],
        [
          54,
          600,
          'priya',
          '`watchdog_kick()` moved into the power task. If you have a branch that touches it, rebase before Friday.',
          [[10, 'tomas', 'Mine does. Done.']]
        ],
        [
          33,
          650,
          'tomas',
          'Why do we log the position as float? At 60° north that is 2 m of noise.',
          [
            [7, 'priya', 'History. 2.5 will use int32 with 1e-7 degrees.'],
            [9, 'tomas', 'Which is 1.1 cm. Perfect.']
          ]
        ],
        [
          10,
          640,
          'priya',
          'Release 2.5.0: positions as int32, quieter radio. Old units need 2.4.1 first, do not skip it.'
        ]
      ]
    },
    {
      name: 'design',
      talk: [
        [77, 700, 'mei', 'Brand colour is now #0B6E99, the buoy yellow stays for alarms only.'],
        [
          45,
          660,
          'mei',
          'Which of the two night modes? A is dim red, B is dim blue.',
          [
            [14, 'tomas', 'Red. Blue ruins the eyes at sea for twenty minutes.'],
            [16, 'ada', 'Red then. Skippers asked for it as well.']
          ]
        ],
        [20, 615, 'mei', 'Night mode A ships with app 3.1.']
      ]
    },
    {
      name: 'leads',
      private: true,
      topic: 'Ada, Jonas, Priya',
      talk: [
        [
          50,
          560,
          'jonas',
          'We have cash until November. With the pilot boats until March.',
          [
            [30, 'ada', 'Then we hire one, not two: a firmware engineer, from 1 July.'],
            [45, 'priya', 'Agreed. I have somebody in mind, Lena Fischer, she leaves her job in May.']
          ]
        ],
        [15, 580, 'ada', 'Lena accepted: starts on 1 July, four days a week.']
      ]
    },
    {
      name: 'random',
      talk: [
        [60, 900, 'tomas', 'My sourdough is called Captain Crust.'],
        [37, 910, 'mei', 'Somebody left a green umbrella in the meeting room.', [[3, 'jonas', 'Mine! Thank you.']]],
        [6, 905, 'jonas', 'Table football: Priya beat me 10 to 2. I demand a rematch.']
      ]
    },
    {
      name: 'launch-2024',
      archived: true,
      talk: [[200, 600, 'ada', 'We launched the first buoy unit today, at 14:05 off Warnemünde.']]
    },
    { name: 'accounting', private: true, without: true, talk: [[30, 600, 'jonas', 'Only Jonas sees this.']] }
  ]
}
