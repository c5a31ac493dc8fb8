import { useEffect, useState } from 'react'
import { type AttachedFile, revokePreview, toAttachedFile } from '../../../parts/message/composer/attached-file.ts'
import type { ComposerSubject } from './composer-subject.ts'
import type { PhoneAction } from './use-send-as-customer.ts'

type PhoneDraftOptions = {
  write: (action: PhoneAction, files?: File[]) => void
  subject: ComposerSubject
  /** Called after sending or cancelling. */
  onDone: () => void
}

/** The current input with its attachments. */
export function usePhoneDraft({ write, subject, onDone }: PhoneDraftOptions) {
  const [text, setText] = useState('')
  const [files, setFiles] = useState<AttachedFile[]>([])
  const [asCompany, setAsCompany] = useState(false)
  useEffect(() => {
    if (subject?.action === 'edit') setText(subject.message.body)
  }, [subject])

  const attach = (chosen: File[]) => setFiles((before) => [...before, ...chosen.map(toAttachedFile)])
  const remove = (id: string) => {
    files.filter((one) => one.id === id).forEach(revokePreview)
    setFiles(files.filter((one) => one.id !== id))
  }
  const clear = () => {
    setText('')
    files.forEach(revokePreview)
    setFiles([])
    setAsCompany(false)
    onDone()
  }
  const send = () => {
    const body = text.trim()
    if (body === '' && files.length === 0) return
    if (subject?.action === 'edit') write({ kind: 'edit', body, targetId: subject.message.id })
    else {
      const common = { ...(asCompany && { fromMe: true }), ...(subject && { quotedId: subject.message.id }) }
      if (files.length === 0) write({ body, ...common })
      // WhatsApp sends each file separately; the text goes with the first.
      const chosen = files.flatMap(({ file }) => file ?? [])
      for (const [i, file] of chosen.entries()) write(i === 0 ? { body, ...common } : common, [file])
    }
    clear()
  }
  const full = text.trim() !== '' || files.length > 0
  return { text, setText, files, attach, remove, asCompany, setAsCompany, hasContent: full, send, clear }
}
