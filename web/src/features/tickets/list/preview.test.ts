import { expect, test } from 'vitest'
import { fitTags } from './fit-tags.ts'
import { previewOf } from './preview.ts'
import { sampleTicket } from './sample-ticket.ts'
import { listTexts } from './texts.ts'

const words = listTexts.es.kinds
const last = (mediaType: string | null) => ({ id: 'm', fromMe: false, ack: 0, mediaType })
const preview = (lastMessage: string, mediaType: string | null = null) =>
  previewOf(sampleTicket({ id: 1, lastMessage, last: last(mediaType) }), words)

test('the last message in one line, by its kind', () => {
  expect(preview('Hola\n  ¿qué tal?', 'conversation')).toEqual({ kind: null, text: 'Hola ¿qué tal?' })
  expect(preview('*Marina Duarte:*\nYa quedó')).toEqual({ kind: null, text: 'Ya quedó' })
  expect(preview('*ojo* con esto')).toEqual({ kind: null, text: '*ojo* con esto' })
  expect(preview('-34.6, -58.3', 'locationMessage')).toEqual({ kind: 'location', text: 'Ubicación' })
  expect(preview('audio-1.mp3', 'audio')).toEqual({ kind: 'audio', text: 'Audio' })
  expect(preview('foto.png', 'image')).toEqual({ kind: 'photo', text: 'Foto' })
  expect(preview('Mira esto', 'image')).toEqual({ kind: 'photo', text: 'Mira esto' })
  expect(preview('poll\n¿Qué día?\nLunes', 'unknown')).toEqual({ kind: 'poll', text: '¿Qué día?' })
  expect(preview('waiting-for-message', 'unknown')).toEqual({ kind: 'waiting', text: 'Esperando este mensaje' })
  expect(preview('payment', 'unknown')).toEqual({ kind: 'unknown', text: 'Mensaje que no podemos mostrar' })
  expect(preview('Factura marzo.pdf', 'application')).toEqual({ kind: 'file', text: 'Factura marzo.pdf' })
})

test('whole chips as many as fit, the first one cut but never to a stump', () => {
  const tags = ['VIP', 'Mayorista', 'Pago pendiente de hace tiempo'].map((name) => ({ name }))
  const names = (room: number, given = tags) => fitTags(given, room, (text) => text.length * 6).map((tag) => tag.name)
  expect(names(400)).toHaveLength(3)
  expect(names(150)).toEqual(['VIP', 'Mayorista'])
  expect(names(80)).toEqual(['VIP'])
  expect(names(20)).toEqual([])
  expect(names(64, tags.slice(2))).toEqual(['Pago pendiente de hace tiempo'])
  expect(names(50, tags.slice(2))).toEqual([])
})
