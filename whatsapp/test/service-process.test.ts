import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { trustService } from '../src/credentials.ts'
import type { ServiceAnswer, ServiceCommand, ServiceReady } from '../src/service-process.ts'
import { Client } from './client.ts'
import '../src/silence-libsignal.ts'

it('runs as a separate process and delivers a burst of messages', async () => {
  const child = fork(new URL('../src/service-process.ts', import.meta.url))
  try {
    const [{ url, credentials }] = (await once(child, 'message')) as [ServiceReady]
    trustService(credentials)
    let number = 0
    const command = async (one: ServiceCommand) => {
      const answer = once(child, 'message')
      child.send({ number: ++number, command: one })
      const [{ result, error }] = (await answer) as [ServiceAnswer]
      if (error) throw new Error(error)
      return result
    }
    await command({ do: 'person', phone: '15550001111', name: 'Shop' })
    const client = new Client(url)
    const opened = once(client, 'open')
    client.connect()
    const [qr] = await once(client, 'qr')
    await command({ do: 'scan', phone: '15550001111', qr: qr as string })
    await opened
    let heard = 0
    const all = client.next('messages.upsert', ({ messages }) => {
      heard += messages.length
      return heard === 6 ? true : undefined
    })
    expect(await command({ do: 'burst', phone: '15550001111', customers: 2, textsEach: 3, text: 'hola' })).toBe(6)
    await all
    await expect(command({ do: 'scan', phone: '1', qr: '' })).rejects.toThrow('nobody')
    await client.end()
  } finally {
    child.kill()
  }
})
