import { type Template, templatesApi } from '@recado/contract/cloud'
import type { Ticket } from '@recado/contract/tickets'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, upload } from '../../../lib/api.ts'
import { newClientId } from '../../../lib/client-id.ts'
import { toast } from '../../../lib/toast.ts'
import { hear } from '../messages/thread-cache.ts'
import { emptyOf, type Values } from './template-words.ts'

/** The templates of a line; Meta is asked again when somebody misses one. */
export function useTemplates(whatsappId: number | null) {
  const client = useQueryClient()
  const key = ['templates', whatsappId]
  const ask = (refresh: boolean, signal?: AbortSignal) =>
    call(templatesApi.list, { query: { whatsappId: whatsappId ?? 0, refresh } }, signal ? { signal } : {})
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => ask(false, signal), enabled: whatsappId !== null })
  const [busy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    try {
      client.setQueryData(key, await ask(true))
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return { query, refresh, refreshing: busy }
}

/** The chosen one, what its gaps are filled with, and the sending: pressed twice it is still one message. */
export function useTemplate(ticket: Ticket, onSent: () => void) {
  const client = useQueryClient()
  const [template, setTemplate] = useState<Template | null>(null)
  const [values, setValues] = useState<Values>({})
  const [file, setFile] = useState<File | null>(null)
  const [share, setShare] = useState<number>()
  const [clientId, setClientId] = useState(newClientId)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const missing = template ? emptyOf(template, values, file) : []
  const choose = (next: Template | null) => {
    setTemplate(next)
    setValues({})
    setFile(null)
    setTried(false)
    setClientId(newClientId())
  }
  const send = async () => {
    setTried(true)
    if (!template || missing.length > 0 || busy) return
    setBusy(true)
    try {
      const { name, language } = template
      const params = { ticketId: ticket.id }
      const fields = { name, language, variables: JSON.stringify(values), clientId }
      const message = file
        ? await upload(templatesApi.send, { params, fields, files: [file], onProgress: setShare })
        : await call(templatesApi.send, { params, body: { name, language, variables: values, clientId } })
      hear(client, { action: 'stored', message })
      onSent()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
      setShare(undefined)
    }
  }
  const fill = (key: string, value: string) => setValues((before) => ({ ...before, [key]: value }))
  return { template, choose, values, fill, file, setFile, share, missing: tried ? missing : [], busy, send }
}
