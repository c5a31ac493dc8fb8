import type { BinaryNode, WASocket } from 'baileys'
import { LineRefusedError } from '../../line.ts'

/** The reason of a refused message to a stranger. The account's lock tells which of its two causes it has. */
export const reachOutRefusal = 'reach-out'

/** WhatsApp's permanent refusals: a retry would not help, or would make it worse. */
const refusalByCode: Record<string, string> = {
  // Either the account may not start new conversations for now, or the privacy token of this contact is missing.
  '463': reachOutRefusal,
  '475': 'restricted',
}
/** With these codes WhatsApp asks for a pause. */
const busyCodes = new Set(['429', '503', '500'])

/** Messages on their way to WhatsApp's server. The server's response is the first acknowledgement or a refusal. */
export function makeAcknowledgements(timeoutMs: number) {
  const pendingById = new Map<string, PromiseWithResolvers<void>>()

  function handleAck({ attrs }: BinaryNode): void {
    const pendingAck = pendingById.get(attrs.id ?? '')
    if (!pendingAck) return
    const { error } = attrs
    if (!error) pendingAck.resolve()
    else if (busyCodes.has(error)) pendingAck.reject(new Error(`WhatsApp is busy: ${error}`))
    else pendingAck.reject(new LineRefusedError(refusalByCode[error] ?? 'rejected'))
  }
  return {
    listen: (sock: WASocket) => void sock.ws.on('CB:ack,class:message', handleAck),
    /** Resolves when WhatsApp's server has the message. Without a response in time it is sent again, under the same id. */
    async waitFor(id: string, send: () => Promise<unknown>): Promise<void> {
      const pendingAck = Promise.withResolvers<void>()
      pendingById.set(id, pendingAck)
      const lost = new Promise<never>((_resolve, reject) => pendingAck.promise.catch(reject))
      let timer: NodeJS.Timeout | undefined
      try {
        // The response is due only after the message was sent: uploading a long video takes time.
        await Promise.race([send(), lost])
        timer = setTimeout(() => pendingAck.reject(new Error('WhatsApp did not answer')), timeoutMs)
        await pendingAck.promise
      } finally {
        clearTimeout(timer)
        pendingById.delete(id)
      }
    },
    /** Rejects all pending messages: with the connection every response is lost. */
    rejectAll(): void {
      for (const pendingAck of pendingById.values()) pendingAck.reject(new Error('the connection was lost'))
    },
  }
}
export type Acknowledgements = ReturnType<typeof makeAcknowledgements>
