import { readdir } from 'node:fs/promises'
import { knowledgeApi } from '@recado/contract/ai/knowledge'
import { promptsApi } from '@recado/contract/ai/prompts'
import { queuesApi } from '@recado/contract/queues'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeDocx, makePdf, makeZip } from '../../../../test/documents.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../../test/test-server.ts'
import { sendForm, tinyPng } from '../../../../test/upload.ts'
import { Scope } from '../../../kernel/data/scope.ts'
import { recallKnowledge } from './find-knowledge.ts'

let harness: TestServer
let admin: TestUser
let promptId: number
let sequence = 0
beforeAll(async () => {
  harness = await testServer({ uploadLimit: 8 * 1024 * 1024 })
})
afterAll(closeTestServers)
beforeEach(async () => {
  admin = (await harness.createCompany()).admin
  promptId = await newPrompt(admin)
})

async function newPrompt(who: TestUser): Promise<number> {
  const queue = await who.call(queuesApi.create, {
    body: { name: `Ventas ${++sequence}`, color: `#${100_000 + sequence}` } as never,
  })
  const body = { ...promptsApi.create.example, queueId: queue.id }
  return (await who.call(promptsApi.create, { body })).id
}
const write = (name: string, text: string, who = admin, id = promptId) =>
  who.call(knowledgeApi.create, { params: { promptId: id }, body: { kind: 'text', name, text } })
const find = async (text: string, who = admin, id = promptId) =>
  (await who.call(knowledgeApi.find, { params: { promptId: id }, body: { text } })).pieces
const uploadSource = (name: string, content: Buffer | string) =>
  sendForm<{ id: number }[]>(admin, `/prompt/${promptId}/knowledge/files`, { file: [[content, name]] })
const list = () => admin.call(knowledgeApi.list, { params: { promptId } })
const waitForSource = (id: number) =>
  vi.waitFor(async () => {
    const row = (await list()).find((one) => one.id === id)
    if (!row || row.state === 'waiting' || row.state === 'reading') throw new Error(`still ${row?.state}`)
    return row
  })

describe('the knowledge base of a prompt', () => {
  it('is found by words in any form, rarer words first, with the position in the source', async () => {
    await write(
      'Envíos',
      '# Envíos\nEnviamos a todo el país en tres días hábiles.\n\n# Pagos\nAceptamos tarjetas y transferencias.',
    )
    await write('Horarios', 'Abrimos de lunes a viernes de nueve a seis. Los sábados, hasta el mediodía.')
    const [first, ...rest] = await find('hola, ¿cuánto tarda el envio?')
    expect(first).toMatchObject({ name: 'Envíos', heading: 'Envíos', place: '#1', marks: ['Envíos', 'Enviamos'] })
    expect(rest.map((one) => one.heading)).not.toContain('Pagos')
    expect((await find('¿qué HORARIO tienen el sabado?'))[0]).toMatchObject({ name: 'Horarios' })
    // A word with a typo is matched by similarity.
    expect((await find('transferensia'))[0]).toMatchObject({ heading: 'Pagos' })
    // The question is hidden in a long story, as customers write it.
    const story =
      'Buenas, quería consultar si ustedes mandan a Mendoza, compré ayer un regalo para mi hermana, ¿el envío demora mucho?'
    expect((await find(story))[0]).toMatchObject({ heading: 'Envíos' })
    expect(await find('¿venden bicicletas usadas?')).toEqual([])
    expect(await find('hola, ¿qué tal? de la y el')).toEqual([])
  })

  it('keeps a question with its answer, and a table row, as one piece', async () => {
    const pairs = [
      { question: '¿Hacen factura A?', answer: 'Sí, con CUIT.' },
      { question: '¿Tienen garantía?', answer: 'Seis meses.' },
    ]
    const { id } = await admin.call(knowledgeApi.create, {
      params: { promptId },
      body: { kind: 'pairs', name: 'Preguntas', pairs },
    })
    expect((await find('necesito factura'))[0]).toMatchObject({
      heading: '¿Hacen factura A?',
      text: 'Sí, con CUIT.',
      place: '#1',
    })
    expect(await admin.call(knowledgeApi.show, { params: { id } })).toMatchObject({ pairs })
    await admin.call(knowledgeApi.update, {
      params: { id },
      body: { kind: 'pairs', name: 'Preguntas', pairs: pairs.slice(1) },
    })
    expect(await find('necesito factura')).toEqual([])
    expect((await find('garantia'))[0]).toMatchObject({ text: 'Seis meses.' })
  })

  it('reads files in the background, and publishes progress', async () => {
    const socketClient = await admin.listen()
    const paper = await uploadSource(
      'manual.pdf',
      makePdf([
        ['Portada', 'Manual de uso'],
        ['Lavado', 'Lavar la remera a mano con agua fría.'],
      ]),
    )
    const letter = await uploadSource(
      'cambios.docx',
      makeDocx('# Cambios', 'Los cambios se hacen dentro de treinta días.'),
    )
    const sheet = await uploadSource('precios.csv', 'Producto;Precio\nTaza azul;1500\nPlato hondo;2300')
    expect([paper.status, letter.status, sheet.status]).toEqual([200, 200, 200])
    for (const { body } of [paper, letter, sheet])
      expect(await waitForSource(body[0]?.id ?? 0)).toMatchObject({ state: 'ready', error: '' })
    expect((await find('cómo lavo la remera'))[0]).toMatchObject({
      name: 'manual.pdf',
      place: 'p. 2',
      heading: 'Lavado',
    })
    expect((await find('quiero cambiar'))[0]).toMatchObject({ name: 'cambios.docx', heading: 'Cambios' })
    expect((await find('precio de la taza'))[0]).toMatchObject({ name: 'precios.csv', place: '#2' })
    await socketClient.waitFor(`company-${admin.companyId}-knowledge`, { action: 'update' })
    await vi.waitFor(async () => expect(await filesOnDisk()).toBe(0))
  })

  it('counts how often each source was used', async () => {
    const { id } = await write('Envíos', 'Enviamos a todo el país.')
    await recallKnowledge(
      new Scope(harness.wide().deps, { companyId: admin.companyId }),
      promptId,
      'envían al interior del país?',
      3,
    )
    await find('envían al interior del país?')
    expect((await list()).find((one) => one.id === id)).toMatchObject({ uses: 1 })
  })

  it('is separate from other prompts and other companies', async () => {
    await write('Secreto', 'La clave del depósito es girasol.')
    expect(await find('girasol', admin, await newPrompt(admin))).toEqual([])
    const stranger = (await harness.createCompany()).admin
    const theirs = await newPrompt(stranger)
    expect(await find('girasol', stranger, theirs)).toEqual([])
    const refused = await stranger.request('POST', `/prompt/${promptId}/knowledge/find`, { text: 'girasol' })
    expect(refused.status).toBe(404)
    expect(
      await recallKnowledge(new Scope(harness.wide().deps, { companyId: stranger.companyId }), promptId, 'girasol', 3),
    ).toEqual([])
  })

  it('is deleted with its prompt', async () => {
    const { id } = await write('Envíos', 'Enviamos a todo el país.')
    await admin.call(promptsApi.remove, { params: { id: promptId } })
    expect((await admin.request('GET', `/knowledge/${id}`)).status).toBe(404)
  })
})

describe('an unreadable file', () => {
  it('is refused at upload if its type is not supported or not what its name claims', async () => {
    for (const [name, content] of [
      ['foto.pdf', tinyPng],
      ['script.exe', 'MZ'],
      ['lista.txt', makePdf([['x']])],
    ] as const)
      expect((await uploadSource(name, content as Buffer)).status, name).toBe(415)
    expect(await list()).toEqual([])
  })

  it('reports the reason, keeps no pieces, and can be stopped', async () => {
    const bomb = await uploadSource('bomba.docx', makeZip({ 'word/document.xml': Buffer.alloc(50 * 1024 * 1024, ' ') }))
    expect(await waitForSource(bomb.body[0]?.id ?? 0)).toMatchObject({
      state: 'failed',
      error: 'ERR_FILESIZE_OVER_LIMIT',
      pieces: 0,
    })
    const empty = await uploadSource('vacio.txt', '\n \n')
    expect(await waitForSource(empty.body[0]?.id ?? 0)).toMatchObject({ state: 'failed', error: 'ERR_KNOWLEDGE_EMPTY' })
    const long = await uploadSource('largo.txt', 'Una frase sobre el horario. '.repeat(50_000))
    const id = long.body[0]?.id ?? 0
    await admin.call(knowledgeApi.stop, { params: { id } })
    expect(['stopped', 'ready']).toContain((await waitForSource(id)).state)
    await admin.call(knowledgeApi.remove, { params: { id } })
    expect(await find('horario')).toEqual([])
    await vi.waitFor(async () => expect(await filesOnDisk()).toBe(0))
  })
})

async function filesOnDisk(): Promise<number> {
  return (await readdir(`${harness.dataDir}/files/${admin.companyId}`).catch(() => [])).length
}
