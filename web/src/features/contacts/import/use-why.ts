import type { FieldProblem } from '@recado/contract/errors'
import { ApiError, type FailureCode } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useProblemWords } from '../../../records/problems.ts'
import type { Target } from './mapping.ts'
import type { Refused } from './send-people.ts'
import { importTexts } from './texts.ts'

/** Why a row cannot come in, in words: "Número: Escribe al menos 8 caracteres". */
export function useWhy(): (why: Refused['why']) => string {
  const words = useTexts(importTexts)
  const problemWords = useProblemWords()
  const errorText = useErrorText()
  const of = (field: string, text: string) => {
    const name = words.field[field as Target]
    return name ? `${name}: ${text}` : text
  }
  return (why) => {
    if ('sameAs' in why) return words.sameAs(why.sameAs)
    if ('problem' in why) return of(why.field, problemWords(why.problem))
    if (why.message.startsWith('ERR_')) return errorText(new ApiError(why.message as FailureCode, 0))
    return of(why.field, problemWords({ kind: why.message as FieldProblem }))
  }
}
