import { expect, test } from 'vitest'
import { sampleTicket } from './sample-ticket.ts'
import { buildTicketPreview } from './ticket-preview.ts'
import { ticketPreviewTexts } from './ticket-preview-texts.ts'

const words = ticketPreviewTexts.es.kinds
const last = (mediaType: string | null) => ({ id: 'm', fromMe: false, ack: 0, mediaType })
const preview = (lastMessage: string, mediaType: string | null = null) =>
  buildTicketPreview(sampleTicket({ id: 1, lastMessage, last: last(mediaType) }), words)

test('prefers the customer’s message over a later message of the bot', () => {
  const ticket = sampleTicket({
    id: 1,
    lastMessage: '1 Ventas 2 Soporte',
    last: { ...last('conversation'), fromMe: true },
  })
  expect(buildTicketPreview(ticket, words).text).toBe('1 Ventas 2 Soporte')
  expect(
    buildTicketPreview({ ...ticket, heard: { body: 'Hola,\n¿abren hoy?', mediaType: 'conversation' } }, words).text,
  ).toBe('Hola, ¿abren hoy?')
  expect(buildTicketPreview({ ...ticket, heard: { body: '', mediaType: 'image' } }, words)).toEqual({
    kind: 'photo',
    text: words.photo,
  })
})

test('shows the last message in one row of text, by its kind', () => {
  expect(preview('Hola\n  ¿qué tal?', 'conversation')).toEqual({ kind: null, text: 'Hola ¿qué tal?' })
  expect(preview('*Marina Duarte:*\nYa quedó')).toEqual({ kind: null, text: 'Ya quedó' })
  expect(preview('*ojo* con esto')).toEqual({ kind: null, text: 'ojo con esto' })
  expect(preview('Elige:\n*1* Ventas\n*2* _Soporte_')).toEqual({ kind: null, text: 'Elige: 1 Ventas 2 Soporte' })
  expect(preview('5*3*2 en mi_archivo_2')).toEqual({ kind: null, text: '5*3*2 en mi_archivo_2' })
  expect(preview('-34.6, -58.3', 'locationMessage')).toEqual({ kind: 'location', text: 'Ubicación' })
  expect(preview('audio-1.mp3', 'audio')).toEqual({ kind: 'audio', text: 'Audio' })
  expect(preview('foto.png', 'image')).toEqual({ kind: 'photo', text: 'Foto' })
  expect(preview('Mira esto', 'image')).toEqual({ kind: 'photo', text: 'Mira esto' })
  expect(preview('poll\n¿Qué día?\nLunes', 'unknown')).toEqual({ kind: 'poll', text: '¿Qué día?' })
  expect(preview('waiting-for-message', 'unknown')).toEqual({ kind: 'waiting', text: 'Esperando este mensaje' })
  expect(preview('payment', 'unknown')).toEqual({ kind: 'unknown', text: 'Mensaje que no podemos mostrar' })
  expect(preview('Factura marzo.pdf', 'application')).toEqual({ kind: 'file', text: 'Factura marzo.pdf' })
})
