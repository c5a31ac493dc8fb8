import { sign } from '@recado/contract/words/signature'
import type { Attached } from '../../message/box/attached.ts'
import { joined } from '../../message/box/drafts.ts'
import type { Draft } from '../outgoing/outgoing.ts'

/** WhatsApp shows no words under a sound. */
const carriesWords = ({ file }: Attached) => file !== null && !file.type.startsWith('audio/')

/** One message per file. What is in the box goes under the first, or before it where it cannot stand there. */
export function plan(typed: string, attached: Attached[], name: string | null): Draft[] {
  const files = attached.filter(({ file }) => file !== null)
  if (files.length === 0) return said(typed, name)
  return files.flatMap((one, i) => {
    // One that had words of its own may have become the first since.
    const words = i === 0 ? joined(typed, one.caption) : one.caption
    return carriesWords(one) ? [withFile(words, one.file)] : [...said(words, name), withFile('', one.file)]
  })
}

function said(typed: string, name: string | null): Draft[] {
  const text = typed.trim()
  return text === '' ? [] : [{ text, body: sign(text, name), file: null }]
}

const withFile = (typed: string, file: File | null): Draft => ({ text: typed.trim(), body: typed.trim(), file })
