import type { ErrorReply, ProgramCode } from '@recado/contract/errors'
import { ApiError } from '../../../lib/api.ts'
import { useErrorText, useProblemText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import type { Answer } from './send.ts'
import { trialTexts } from './trial-texts.ts'

export type Refusal = { text: string; fields: Record<string, string> }

/** What the API said no with, in words. */
export function useRefusal(): (answer: Answer) => Refusal {
  const words = useTexts(trialTexts)
  const errorText = useErrorText()
  const problemText = useProblemText()
  return ({ status, text }) => {
    if (status === 0) return { text: errorText(new ApiError('ERR_OFFLINE', 0)), fields: {} }
    const { error, fields = {} } = readJson<Partial<ErrorReply>>(text) ?? {}
    const own = words.codes[error as ProgramCode]
    return {
      text: own ?? errorText(new ApiError(error ?? 'ERR_INTERNAL_SERVER_ERROR', status)),
      fields: Object.fromEntries(Object.entries(fields).map(([name, problem]) => [name, problemText(problem)])),
    }
  }
}

export function readJson<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T
  } catch {
    return null
  }
}
