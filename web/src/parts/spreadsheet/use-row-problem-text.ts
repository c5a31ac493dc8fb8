import type { FieldProblem } from '@recado/contract/errors'
import { ApiError, type FailureCode } from '../../lib/api.ts'
import { useErrorText } from '../../lib/errors.ts'
import { useTexts } from '../../lib/texts.ts'
import { type FieldProblemDetail, useFieldProblemWords } from '../../records/field-problems.ts'
import type { ColumnTarget } from './column-targets.ts'
import { importTexts } from './texts.ts'

/** A field to correct, the row with the same number, or the server's message. */
type RowProblem =
  | { field: string; problem: FieldProblemDetail }
  | { sameAs: number }
  | { field: string; message: string }

/** Why a row cannot be imported, as text: "Número: Escribe al menos 8 caracteres". */
export function useRowProblemText(): (why: RowProblem) => string {
  const words = useTexts(importTexts)
  const problemWords = useFieldProblemWords()
  const errorText = useErrorText()
  const of = (field: string, text: string) => {
    const name = words.field[field as ColumnTarget]
    return name ? `${name}: ${text}` : text
  }
  return (why) => {
    if ('sameAs' in why) return words.sameAs(why.sameAs)
    if ('problem' in why) return of(why.field, problemWords(why.problem))
    if (why.message.startsWith('ERR_')) return errorText(new ApiError(why.message as FailureCode, 0))
    return of(why.field, problemWords({ kind: why.message as FieldProblem }))
  }
}
