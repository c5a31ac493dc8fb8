import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { WASocket } from 'baileys'
import { expect, it } from 'vitest'
import { makeAcknowledgements } from './acknowledgement.ts'

function sendAndWait() {
  const ws = new EventEmitter()
  const acknowledgements = makeAcknowledgements(30)
  acknowledgements.listen({ ws } as unknown as WASocket)
  const answer = (id: string, error?: string) => ws.emit('CB:ack,class:message', { attrs: { id, error } })
  return { acknowledgements, answer }
}

it('expects the acknowledgement after the message was sent, however long sending took, and accepts it earlier', async () => {
  const { acknowledgements, answer } = sendAndWait()
  const sent = acknowledgements.waitFor('A', () => pause(90))
  setTimeout(() => answer('A'), 100)
  await sent
  await acknowledgements.waitFor('B', async () => void answer('B'))
  await expect(acknowledgements.waitFor('C', async () => {})).rejects.toThrow('did not answer')
})

it('distinguishes permanent refusals from refusals that can be retried', async () => {
  const { acknowledgements, answer } = sendAndWait()
  const refused = (error: string) => acknowledgements.waitFor(error, async () => void answer(error, error))
  await expect(refused('463')).rejects.toMatchObject({ reason: 'reach-out' })
  await expect(refused('479')).rejects.toMatchObject({ reason: 'rejected' })
  await expect(refused('429')).rejects.not.toHaveProperty('reason')
})

it('does not wait for an acknowledgement when the connection is lost before the message was sent', async () => {
  const { acknowledgements } = sendAndWait()
  const sent = acknowledgements.waitFor('A', () => new Promise(() => {}))
  acknowledgements.rejectAll()
  await expect(sent).rejects.toThrow('lost')
})
