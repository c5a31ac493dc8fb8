import { connectionsApi } from '@recado/contract/connections'
import { type SandboxPhoneMessage, type SandboxPhoneWrite, sandboxApi } from '@recado/contract/sandbox'
import { vi } from 'vitest'
import type { HttpCaller } from './http-caller.ts'

type ExtraFields = Partial<Record<keyof SandboxPhoneWrite, unknown>>
export type SandboxPhone = Awaited<ReturnType<typeof openSandboxLine>>
export type TestCustomer = ReturnType<SandboxPhone['customer']>

let lastSequence = 0
/** A connected test line of the admin's company, used by most tests. */
export async function openSandboxLine(admin: HttpCaller, given: Record<string, unknown> = {}) {
  const body = { name: `Line ${++lastSequence}`, provider: 'sandbox', ...given } as never
  const { id } = await admin.call(connectionsApi.create, { body })
  const params = { whatsappId: id }
  const row = () => admin.call(connectionsApi.show, { params: { id } })
  const reaches = (status: string, reason = '') =>
    vi.waitFor(
      async () => {
        const now = await row()
        if (now.status !== status || (reason && now.reason !== reason))
          throw new Error(`the line is ${now.status} (${now.reason}), not ${status}`)
        return now
      },
      { timeout: 10_000, interval: 20 },
    )
  await admin.call(sandboxApi.scan, { params })
  await reaches('CONNECTED')

  function customer(number: string, name?: string) {
    const send = async (write: ExtraFields): Promise<string> =>
      (await admin.call(sandboxApi.send, { params, body: { from: number, ...(name && { name }), ...write } as never }))
        .id
    return {
      number,
      /** Sends a text; `extra`: further fields of the message (quotedId, lid, group, at, id …). */
      says: (text: string, extra: ExtraFields = {}) => send({ body: text, ...extra }),
      sendEvent: (kind: SandboxPhoneWrite['kind'], extra: ExtraFields = {}) => send({ kind, body: '', ...extra }),
      reacts: (targetId: string, emoji: string) => send({ kind: 'reaction', body: emoji, targetId }),
      edits: (targetId: string, text: string) => send({ kind: 'edit', body: text, targetId }),
      deletes: (targetId: string) => send({ kind: 'delete', body: '', targetId }),
      calls: () => send({ kind: 'call', body: '' }),
      async sends(files: File | File[], extra: ExtraFields = {}): Promise<string> {
        const form = new FormData()
        for (const [key, value] of Object.entries({ from: number, ...(name && { name }), ...extra }))
          form.append(key, String(value))
        for (const file of [files].flat()) form.append('medias', file)
        const answer = await admin.request<{ id: string }>('POST', `/sandbox/${id}/messages`, form)
        if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
        return answer.body.id
      },
      listMessages: async (): Promise<SandboxPhoneMessage[]> =>
        (await admin.call(sandboxApi.messages, { params, query: { with: number } })).messages,
      reads: () => admin.call(sandboxApi.read, { params, body: { with: number } }),
      setTyping: (typing = true) => admin.call(sandboxApi.typing, { params, body: { from: number, typing } }),
      inside: () => admin.call(sandboxApi.inside, { params, query: { with: number } }),
    }
  }
  return {
    id,
    showLine: row,
    /** Waits until the line has this state, and returns its row. */
    waitForStatus: reaches,
    customer,
    setFaults: (how: Record<string, unknown>) => admin.call(sandboxApi.misbehave, { params, body: how as never }),
    dropConnection: () => admin.call(sandboxApi.drop, { params }),
    scan: () => admin.call(sandboxApi.scan, { params }),
    unlink: () => admin.call(sandboxApi.unlink, { params }),
    group: (name: string, members: string[]) =>
      admin.call(sandboxApi.addCustomer, { params, body: { name, isGroup: true, members } }),
  }
}
