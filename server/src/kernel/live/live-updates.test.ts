import { helpsApi } from '@recado/contract/helps'
import { topics } from '@recado/contract/live'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { closeTestServers, type SocketClient, type TestServer, testServer } from '../../../test/test-server.ts'
import type { Audience } from './live-updates.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

describe('publishing', () => {
  it('reaches its audience and no one else; an empty audience reaches no one', async () => {
    const [a, b] = [await harness.createCompany(), await harness.createCompany()]
    const [agent, second] = [await a.user(), await a.user()]
    const boss = await harness.superUser()
    const who = { admin: a.admin, agent, second, stranger: b.admin, boss }
    const socketClients: Record<string, SocketClient> = {}
    for (const [name, person] of Object.entries(who)) socketClients[name] = await person.listen()
    const hearers = async (to: Audience) => {
      harness.server.deps.live.publish(helpsApi.topic, a.id, { action: 'delete', id: 1 }, to)
      const found: string[] = []
      for (const [name, socketClient] of Object.entries(socketClients)) {
        await socketClient.whenCaughtUp()
        if (socketClient.received.some((e) => e.name === 'company-help')) found.push(name)
        socketClient.received.length = 0
      }
      return found
    }
    expect(await hearers({ company: a.id })).toEqual(['admin', 'agent', 'second'])
    expect(await hearers({ admins: a.id })).toEqual(['admin'])
    expect(await hearers({ users: [agent.id, b.admin.id] })).toEqual(['agent', 'stranger'])
    expect(await hearers({ session: agent.sessionId })).toEqual(['agent'])
    expect(await hearers({ super: true })).toEqual(['boss'])
    expect(await hearers({ everyone: true })).toEqual(['admin', 'agent', 'second', 'stranger', 'boss'])
    expect(await hearers({ users: [] })).toEqual([])
    expect(await hearers({ rooms: [] })).toEqual([])
  })

  it('happens only after the commit, and never after a rollback', async () => {
    const { admin, id } = await harness.createCompany()
    const socketClient = await admin.listen()
    const scope = harness.wide().forCompany(id)
    const say = (n: number) => (tx: typeof scope) =>
      tx.live(helpsApi.topic, { action: 'delete', id: n }, { company: id })
    await expect(
      scope.transaction(async (tx) => {
        say(1)(tx)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await scope.transaction(async (tx) => {
      say(2)(tx)
      await socketClient.whenCaughtUp()
      expect(socketClient.received.filter((e) => e.name === 'company-help')).toEqual([])
    })
    await socketClient.whenCaughtUp()
    expect(socketClient.received.filter((e) => e.name === 'company-help').map((e) => e.payload.id)).toEqual([2])
  })

  it('drops fields that are not in the schema of the topic', async () => {
    const { admin, id } = await harness.createCompany()
    const socketClient = await admin.listen()
    harness.server.deps.live.publish(
      topics.setting,
      id,
      { action: 'update', setting: { key: 'call', value: 'x', secret: 'y' }, passwordHash: 'z' },
      { company: id },
    )
    expect(await socketClient.waitFor(`company-${id}-settings`)).toEqual({
      action: 'update',
      setting: { key: 'call', value: 'x' },
    })
  })
})

describe('a browser that sends invalid requests', () => {
  it('gets no answer to them and stays connected', async () => {
    const { admin } = await harness.createCompany()
    const socketClient = await admin.listen()
    for (const join of [
      'joinChatBox',
      'joinNotification',
      'joinTickets',
      'leaveChatBox',
      'leaveTickets',
      'leaveNotification',
      'userStatus',
      'somethingElse',
    ]) {
      for (const said of [[], ['undefined'], ['company-1'], [{ a: 1 }], [null], [-1], ['x'.repeat(10_000)], [[1, 2]]])
        socketClient.socket.emit(join, ...said)
    }
    await socketClient.whenCaughtUp()
    expect(socketClient.socket.connected).toBe(true)
  })
})

describe('a user with very many browsers', () => {
  it('is limited in sockets, and can open another when one is closed; other users are not affected', async () => {
    const small = await testServer({ maxSocketsPerUser: 3 })
    onTestFinished(small.close)
    const { admin, user } = await small.createCompany()
    const socketClients = [await admin.listen(), await admin.listen(), await admin.listen()]
    const knock = () =>
      new Promise<boolean>((resolve) => {
        const query = { token: admin.token }
        const socket = io(small.address, { transports: ['websocket'], query, forceNew: true, reconnection: false })
        for (const [word, isIn] of Object.entries({ ready: true, disconnect: false, connect_error: false }))
          socket.once(word, () => {
            resolve(isIn)
            socket.close()
          })
      })
    expect(await Promise.all([knock(), knock()])).toEqual([false, false])
    await (await user()).listen()
    socketClients[0]?.close()
    await expect.poll(knock, { timeout: 10_000 }).toBe(true)
    expect(socketClients[1]?.socket.connected).toBe(true)
  })
})
