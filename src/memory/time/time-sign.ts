/**
 * What every time expression has at least one of: a digit, or a word that names a time. One cheap look at a text that
 * spares all the others.
 */
export const TIME_SIGN =
  /\d|\b(?:today|tonight|yesterday|tomorrow|tmrw|tomorow|noon|midday|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tues?|wed|thu|thurs?|fri|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|january|february|march|april|may|june|july|august|september|october|november|december|springs?|summers?|autumns?|fall|winters?|seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|mornings?|afternoons?|evenings?|weekends?|weekdays?|weeks?|fortnight|months?|quarters?|years?|yrs?|decades?|seasons?|daily|nightly|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually|once|twice|thrice|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|christmas|xmas|easter|halloween|thanksgiving|nye|juneteenth)\b/i
