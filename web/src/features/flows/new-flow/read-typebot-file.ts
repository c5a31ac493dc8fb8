import { maxTypebotCharacters, TypebotFile } from '@recado/contract/flows/typebot-file'
import { type ImportedTypebot, importTypebot } from '@recado/contract/flows/typebot-import'
import { buildSchema } from '../../../lib/lazy-schemas.ts'
import { zodSubset } from '../../../lib/zod-subset.ts'

/** What a file of Typebot contains; null: it is no such file. */
export function readTypebotFile(text: string): ImportedTypebot | null {
  if (text.length > maxTypebotCharacters) return null
  try {
    const parsed = buildSchema(TypebotFile, zodSubset).safeParse(JSON.parse(text))
    return parsed.success ? importTypebot(parsed.data) : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
