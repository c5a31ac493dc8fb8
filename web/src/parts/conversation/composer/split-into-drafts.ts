import { addSignature } from '@recado/contract/text/signature'
import type { AttachedFile } from '../../message/composer/attached-file.ts'
import { joinDrafts } from '../../message/composer/drafts.ts'
import type { OutgoingDraft } from '../outgoing/outgoing-messages.ts'

/** WhatsApp shows no words under a sound. */
const canHaveCaption = ({ file }: AttachedFile) => file !== null && !file.type.startsWith('audio/')

/** One message per file. What is in the box goes under the first, or before it where it cannot stand there. */
export function splitIntoDrafts(typed: string, attached: AttachedFile[], name: string | null): OutgoingDraft[] {
  const files = attached.filter(({ file }) => file !== null)
  if (files.length === 0) return textDrafts(typed, name)
  return files.flatMap((one, i) => {
    // One that had words of its own may have become the first since.
    const words = i === 0 ? joinDrafts(typed, one.caption) : one.caption
    return canHaveCaption(one) ? [fileDraft(words, one.file)] : [...textDrafts(words, name), fileDraft('', one.file)]
  })
}

function textDrafts(typed: string, name: string | null): OutgoingDraft[] {
  const text = typed.trim()
  return text === '' ? [] : [{ text, body: addSignature(text, name), file: null }]
}

const fileDraft = (typed: string, file: File | null): OutgoingDraft => ({
  text: typed.trim(),
  body: typed.trim(),
  file,
})
