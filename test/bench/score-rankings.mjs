import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setsFolder } from './eval-sets.mjs'
import { dataFolder, readLines } from './shared-data.mjs'

/**
 * Scores rankings, given as `lines` of `{"qid", "ranking"}`, with the data's own script. Returns its output with these
 * options.
 */
export function scoreRankings(set, lines, options = []) {
  const folder = mkdtempSync(join(tmpdir(), 'memctl-eval-'))
  try {
    const file = join(folder, 'rankings.jsonl')
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    const script = join(dataFolder, 'eval', 'score_rankings.mjs')
    return execFileSync(process.execPath, [script, set, file, ...options], { encoding: 'utf8' }).trimEnd()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the scores of LoCoMo: turns for answerable questions, sessions for all questions. */
export function scoreTalk(lines) {
  const scored = (...options) => JSON.parse(scoreRankings('locomo', lines, [...options, '--json']))
  const turns = scored().overall
  const sessions = scored('--level', 'session').all
  return {
    turns: { r5: turns.r5, r10: turns.r10, ndcg10: turns.ndcg10 },
    sessions: { hit1: sessionHits(lines), r5: sessions.r5, r10: sessions.r10, ndcg10: sessions.ndcg10 }
  }
}

/** Returns R@10 and nDCG@10 over all questions of a set. */
export function scoreTop(set, lines) {
  const { r10, ndcg10 } = JSON.parse(scoreRankings(set, lines, ['--json'])).overall
  return [r10, ndcg10]
}

/** Returns the mean average precision. */
export function scoreAbstracts(set, lines) {
  return JSON.parse(scoreRankings(set, lines, ['--json'])).overall.ap
}

/** Returns the share of all questions whose best turn is in a session with an answering turn. */
function sessionHits(lines) {
  const sessionOf = new Map(
    readLines(join(setsFolder, 'locomo', 'corpus.jsonl')).map(({ id, group, session }) => [id, `${group}#${session}`])
  )
  const best = new Map(lines.map(({ qid, ranking }) => [qid, sessionOf.get(ranking[0])]))
  const asked = readLines(join(setsFolder, 'locomo', 'qrels.jsonl'))
  const hits = asked.filter(({ qid, rels }) => Object.keys(rels).some((id) => sessionOf.get(id) === best.get(qid)))
  return hits.length / asked.length
}
