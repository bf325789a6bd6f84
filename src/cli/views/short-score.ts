/** `.82` for 0.8213, `-.03` for what takes away: a person compares, and two digits are enough for it. */
export function shortScore(score: number): string {
  return score
    .toFixed(2)
    .replace(/^(-?)0\./, '$1.')
    .replace(/^-\.00$/, '.00')
}
