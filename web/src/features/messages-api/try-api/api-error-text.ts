import type { ApiClientErrorCode, ErrorReply } from '@recado/contract/errors'
import { ApiError } from '../../../lib/api.ts'
import { useErrorText, useFieldProblemText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import type { ApiAnswer } from './send-test-message.ts'
import { tryApiTexts } from './try-api-texts.ts'

export type ApiErrorText = { text: string; fields: Record<string, string> }

/** The API's error as text. */
export function useApiErrorText(): (answer: ApiAnswer) => ApiErrorText {
  const words = useTexts(tryApiTexts)
  const errorText = useErrorText()
  const problemText = useFieldProblemText()
  return ({ status, text }) => {
    if (status === 0) return { text: errorText(new ApiError('ERR_OFFLINE', 0)), fields: {} }
    const { error, fields = {} } = parseJson<Partial<ErrorReply>>(text) ?? {}
    const own = words.codes[error as ApiClientErrorCode]
    return {
      text: own ?? errorText(new ApiError(error ?? 'ERR_INTERNAL_SERVER_ERROR', status)),
      fields: Object.fromEntries(Object.entries(fields).map(([name, problem]) => [name, problemText(problem)])),
    }
  }
}

export function parseJson<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T
  } catch {
    return null
  }
}
