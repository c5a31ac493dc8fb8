import { addSignature } from '@recado/contract/text/signature'
import type { AttachedFile } from '../../message/composer/attached-file.ts'
import { joinDrafts } from '../../message/composer/drafts.ts'
import type { OutgoingDraft } from '../outgoing/outgoing-messages.ts'

/** WhatsApp shows no caption under audio. */
const canHaveCaption = ({ file }: AttachedFile) => file !== null && !file.type.startsWith('audio/')

/** One message per file. The text goes under the first file, or before it if that file cannot have a caption. */
export function splitIntoDrafts(typed: string, attached: AttachedFile[], name: string | null): OutgoingDraft[] {
  const files = attached.filter(({ file }) => file !== null)
  if (files.length === 0) return textDrafts(typed, name)
  return files.flatMap((one, i) => {
    // A file with its own caption may have become the first file.
    const words = i === 0 ? joinDrafts(typed, one.caption) : one.caption
    return canHaveCaption(one)
      ? [fileDraft(words, name, one.file)]
      : [...textDrafts(words, name), fileDraft('', null, one.file)]
  })
}

function textDrafts(typed: string, name: string | null): OutgoingDraft[] {
  const text = typed.trim()
  return text === '' ? [] : [{ text, body: addSignature(text, name), file: null }]
}

const fileDraft = (typed: string, name: string | null, file: File | null): OutgoingDraft => {
  const text = typed.trim()
  return { text, body: text && addSignature(text, name), file }
}
