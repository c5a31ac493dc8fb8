import { type Template, templatesApi } from '@recado/contract/cloud'
import type { Ticket } from '@recado/contract/tickets'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi, uploadFiles } from '../../../lib/api.ts'
import { newClientId } from '../../../lib/client-id.ts'
import { setCachedQuery } from '../../../lib/query-cache.ts'
import { toast } from '../../../lib/toast.ts'
import { applyToCachedThreads } from '../messages/thread-cache.ts'
import { findMissingValues, type TemplateValues } from './template-text.ts'

const matchesAll = () => true

/** The templates of a line. They can be reloaded from Meta when a template is missing. `fits` filters them. */
export function useTemplates(whatsappId: number | null, fits: (template: Template) => boolean = matchesAll) {
  const client = useQueryClient()
  const key = ['templates', whatsappId]
  const fetchTemplates = (refresh: boolean, signal?: AbortSignal) =>
    callApi(templatesApi.list, { query: { whatsappId: whatsappId ?? 0, refresh } }, signal ? { signal } : {})
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => fetchTemplates(false, signal),
    enabled: whatsappId !== null,
    select: (found) => ({ ...found, templates: found.templates.filter(fits) }),
  })
  const [busy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    try {
      setCachedQuery(client, key, await fetchTemplates(true))
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return { query, refresh, isRefreshing: busy }
}

/** The chosen template and its values. */
export function useTemplateValues() {
  const [template, setTemplate] = useState<Template | null>(null)
  const [values, setValues] = useState<TemplateValues>({})
  const [file, setFile] = useState<File | null>(null)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const missing = template ? findMissingValues(template, values, file) : []
  const choose = (next: Template | null) => {
    setTemplate(next)
    setValues({})
    setFile(null)
    setWasSubmitted(false)
  }
  const fill = (key: string, value: string) => setValues((before) => ({ ...before, [key]: value }))
  /** Returns the complete template, or null after marking the missing values. */
  const whole = () => {
    setWasSubmitted(true)
    return template && missing.length === 0 ? template : null
  }
  return {
    template,
    choose,
    values,
    setValue: fill,
    file,
    setFile,
    missingKeys: wasSubmitted ? missing : [],
    completeTemplate: whole,
  }
}

/** Like `useTemplateValues`, and also sends. A double click sends one message. */
export function useSendTemplate(ticket: Ticket, onSent: () => void) {
  const client = useQueryClient()
  const { completeTemplate: whole, ...templateValues } = useTemplateValues()
  const { values, file } = templateValues
  const [share, setShare] = useState<number>()
  const [clientId, setClientId] = useState(newClientId)
  const [busy, setBusy] = useState(false)
  const choose = (next: Template | null) => {
    templateValues.choose(next)
    setClientId(newClientId())
  }
  const send = async () => {
    const template = whole()
    if (!template || busy) return
    setBusy(true)
    try {
      const { name, language } = template
      const params = { ticketId: ticket.id }
      const fields = { name, language, variables: JSON.stringify(values), clientId }
      const message = file
        ? await uploadFiles(templatesApi.send, { params, fields, files: [file], onProgress: setShare })
        : await callApi(templatesApi.send, { params, body: { name, language, variables: values, clientId } })
      applyToCachedThreads(client, { action: 'stored', message })
      onSent()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
      setShare(undefined)
    }
  }
  return { ...templateValues, choose, uploadedShare: share, busy, send }
}
