import type { KnowledgeHit } from '@recado/contract/ai/knowledge'
import { sql } from 'kysely'
import type { Scope } from '../../../kernel/data/scope.ts'
import { formatPiecePlace } from './cut-pieces.ts'
import { findMatchingWords, isWordForm, parseSearchWords, splitWords } from './search-words.ts'

/** Maximum number of candidates with some of the words that are ranked more closely. */
const maxCandidates = 40

type Row = {
  id: number
  knowledgeId: number
  name: string
  kind: string
  at: number
  heading: string
  text: string
  score: number
}

/**
 * The pieces that answer a question best, found by PostgreSQL in one statement: full text over word prefixes, weighted by
 * rarity. Pieces with too little in common are left out, because an empty result is better than a wrong one.
 */
export async function findKnowledge(
  scope: Scope,
  promptId: number,
  text: string,
  limit: number,
): Promise<KnowledgeHit[]> {
  const searchWords = parseSearchWords(text)
  if (!searchWords.length) return []
  const column = (of: 'word' | 'stem') => searchWords.map((one) => one[of])
  const exact = searchWords.map((one) => one.isExact)
  const { rows } = await sql<Row>`
    select p.id, p."knowledgeId", k.name, k.kind, p.at, p.heading, p.text, f.score
    from find_knowledge(${promptId}, ${column('word')}::text[], ${column('stem')}::text[], ${exact}::boolean[], ${maxCandidates}) f
    join "knowledgePieces" p on p."companyId" = ${scope.companyId} and p.id = f.id
    join knowledge k on k."companyId" = p."companyId" and k.id = p."knowledgeId"
    where k.state = 'ready'`.execute(scope.db)
  const scored = rows
    .map((row) => {
      // The words of the heading count more, because the heading says what a piece is about.
      const titles = splitWords(row.heading)
      const inTitle = searchWords.filter((one) => titles.some((word) => isWordForm(word, one))).length
      const score = Math.min(1, row.score * (1 + (0.5 * inTitle) / searchWords.length))
      return { row, score }
    })
    .sort((a, b) => b.score - a.score || a.row.id - b.row.id)
  const enough = Math.max(minScores.ofQuestion, (scored[0]?.score ?? 0) * minScores.ofBest)
  return scored
    .filter(({ score }) => score >= enough)
    .slice(0, limit)
    .map(({ row, score }) => ({
      ...{ id: row.id, knowledgeId: row.knowledgeId, name: row.name, heading: row.heading, text: row.text },
      place: formatPiecePlace(row),
      score: Math.round(score * 100) / 100,
      marks: findMatchingWords(`${row.heading} ${row.text}`, searchWords),
    }))
}

/**
 * Minimum scores of a match. Below this share of the question a match is chance (one common word of many), as is a
 * match far below the best.
 */
const minScores = { ofQuestion: 0.1, ofBest: 0.4 }

/** Finds pieces for a model, and counts how often each source was used. */
export async function recallKnowledge(
  scope: Scope,
  promptId: number,
  text: string,
  limit: number,
): Promise<KnowledgeHit[]> {
  const found = await findKnowledge(scope, promptId, text, limit)
  const ids = [...new Set(found.map((one) => one.knowledgeId))].sort((a, b) => a - b)
  if (ids.length)
    await sql`update knowledge set uses = uses + 1 where "companyId" = ${scope.companyId} and id = any(${ids}::int[])`.execute(
      scope.db,
    )
  return found
}
