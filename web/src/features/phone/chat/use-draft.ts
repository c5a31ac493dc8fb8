import { useEffect, useState } from 'react'
import type { About } from './about.ts'
import type { Deed } from './use-writing.ts'

type Given = {
  write: (deed: Deed, files?: File[]) => void
  about: About
  /** It was sent, or given up. */
  onDone: () => void
}

/** What is being written, and everything that goes along with it. */
export function useDraft({ write, about, onDone }: Given) {
  const [text, setText] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const [asCompany, setAsCompany] = useState(false)
  useEffect(() => {
    if (about?.what === 'edit') setText(about.message.body)
  }, [about])

  const clear = () => {
    setText('')
    setFiles([])
    setAsCompany(false)
    onDone()
  }
  const send = () => {
    const body = text.trim()
    if (body === '' && files.length === 0) return
    if (about?.what === 'edit') write({ kind: 'edit', body, targetId: about.message.id })
    else {
      const common = { ...(asCompany && { fromMe: true }), ...(about && { quotedId: about.message.id }) }
      if (files.length === 0) write({ body, ...common })
      // WhatsApp sends each file by itself; the words go with the first.
      for (const [i, file] of files.entries()) write(i === 0 ? { body, ...common } : common, [file])
    }
    clear()
  }
  const full = text.trim() !== '' || files.length > 0
  return { text, setText, files, setFiles, asCompany, setAsCompany, full, send, clear }
}
