import { type SandboxPhoneMessage, type SandboxPhoneWrite, sandboxApi } from '@recado/contract/sandbox'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi, uploadFiles } from '../../../lib/api.ts'
import { toast } from '../../../lib/toast.ts'

/** Every action of a customer in a chat, in the contract's terms. */
export type PhoneAction = Partial<Omit<SandboxPhoneWrite, 'from'>>
/**
 * A message being sent. It is shown at once with a clock icon; it is removed when the phone has it, or marked as
 * failed.
 */
export type PendingPhoneMessage = SandboxPhoneMessage & { hasFailed?: true }

type PhoneChatRef = { line: number; chat: string; from: string; group: boolean }
type SendJob = { deed: PhoneAction; files: File[]; shown: PendingPhoneMessage }

/** Writes as this customer. A pending message keeps its id, so that a retry cannot write the message twice. */
export function useSendAsCustomer({ line, chat, from, group }: PhoneChatRef) {
  const client = useQueryClient()
  const [jobs, setJobs] = useState<(SendJob & { chat: string })[]>([])
  const mark = (id: string, change: Partial<PendingPhoneMessage> | null) =>
    setJobs((before) =>
      before.flatMap((job) => {
        if (job.shown.id !== id) return [job]
        if (change) return [{ ...job, shown: { ...job.shown, ...change } }]
        if (job.shown.mediaUrl) URL.revokeObjectURL(job.shown.mediaUrl)
        return []
      }),
    )

  const send = async ({ deed: action, files, shown: pendingMessage }: SendJob) => {
    const params = { whatsappId: line }
    const body = { ...action, from, id: pendingMessage.id, ...(group && { group: chat }) }
    try {
      if (files.length > 0) await uploadFiles(sandboxApi.send, { params, fields: toFormFields(body), files })
      else await callApi(sandboxApi.send, { params, body: body as SandboxPhoneWrite })
      await client.invalidateQueries({ queryKey: ['sandbox', line, 'messages', chat] })
      mark(pendingMessage.id, null)
    } catch (error) {
      mark(pendingMessage.id, { hasFailed: true })
      toast.error(error)
    }
  }
  const write = (action: PhoneAction, files: File[] = []) => {
    const job = {
      deed: action,
      files,
      shown: createPendingMessage(action, files[0], group && !action.fromMe ? from : null),
    }
    if (isMessage(action)) setJobs((before) => [...before, { ...job, chat }])
    void send(job)
  }
  const retry = (id: string) => {
    const job = jobs.find(({ shown: pendingMessage }) => pendingMessage.id === id)
    if (!job) return
    mark(id, { hasFailed: undefined } as Partial<PendingPhoneMessage>)
    void send(job)
  }
  return { write, retry, pending: jobs.filter((job) => job.chat === chat).map((job) => job.shown) }
}

/**
 * Whether the action is a message: reactions, edits and deletions act on another message and are not shown as messages.
 */
const isMessage = ({ kind }: PhoneAction) => !['reaction', 'edit', 'delete'].includes(kind ?? 'text')

/** An id in WhatsApp's format: upper-case and long enough to be unique. */
const newPhoneMessageId = () =>
  `SB${Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`.toUpperCase()

const toFormFields = (body: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  )

function createPendingMessage(action: PhoneAction, file: File | undefined, author: string | null): PendingPhoneMessage {
  const place = action.kind === 'location' ? `\n${action.latitude}, ${action.longitude}` : ''
  const card = action.kind === 'contact' ? `${action.contactName}\n${action.contactNumber ?? ''}` : ''
  return {
    id: newPhoneMessageId(),
    fromCustomer: !action.fromMe,
    author,
    kind: file && action.kind !== 'sticker' ? mediaKindOf(file) : (action.kind ?? 'text'),
    body: card || `${action.body ?? ''}${place}`,
    voice: null,
    mediaUrl: file ? URL.createObjectURL(file) : null,
    mediaName: file?.name ?? null,
    quotedId: action.quotedId ?? null,
    reaction: null,
    isDeleted: false,
    isEdited: false,
    isForwarded: false,
    ack: 0,
    at: new Date().toISOString(),
  }
}

const mediaKindOf = (file: File) => /^(image|audio|video)\//.exec(file.type)?.[1] ?? 'application'
