import { escapeLocation, formatStoredLocation } from '@recado/contract/text/location-and-card'
import { addSignature, parseSignature } from '@recado/contract/text/signature'
import { describe, expect, it } from 'vitest'
import {
  formatCoordinates,
  parseContactCards,
  parseCoordinates,
  parseLocationBody,
  splitNameAndAddress,
  summarizeMessage,
} from './message-body.ts'
import { parseRichText, stripFormatting } from './rich-text.ts'

describe('message text', () => {
  it('renders WhatsApp formatting, and leaves text that only looks like formatting unchanged', () => {
    expect(parseRichText('Es *muy* _bueno_ y ~caro~')).toEqual([
      'Es ',
      { mark: 'b', parts: ['muy'] },
      ' ',
      { mark: 'i', parts: ['bueno'] },
      ' y ',
      { mark: 's', parts: ['caro'] },
    ])
    for (const plain of ['5*3*2', 'a * b * c', 'file_name_2.pdf', '**', '*sin cerrar'])
      expect(parseRichText(plain)).toEqual([plain])
  })
  it('keeps code literally and supports nested formatting', () => {
    expect(parseRichText('```*a*```')).toEqual([{ mark: 'code', parts: ['*a*'] }])
    expect(parseRichText('*uno _dos_*')).toEqual([{ mark: 'b', parts: ['uno ', { mark: 'i', parts: ['dos'] }] }])
  })
  it('links URLs without trailing punctuation', () => {
    expect(parseRichText('Mira https://a.example/x_y_z?q=1.')).toEqual([
      'Mira ',
      { link: 'https://a.example/x_y_z?q=1', text: 'https://a.example/x_y_z?q=1' },
      '.',
    ])
    expect(parseRichText('(www.a.example)')).toEqual([
      '(',
      { link: 'https://www.a.example', text: 'www.a.example' },
      ')',
    ])
    expect(parseRichText('javascript:alert(1)')).toEqual(['javascript:alert(1)'])
  })
  it('links e-mail addresses and telephones, and leaves dates, amounts and order numbers', () => {
    const linksOf = (text: string) =>
      parseRichText(text).flatMap((part) => (typeof part === 'object' && 'link' in part ? part.link : []))
    expect(linksOf('Escribe a ventas_ar@tienda.example, o llama al +54 9 11 5555-1234.')).toEqual([
      'mailto:ventas_ar@tienda.example',
      'tel:+5491155551234',
    ])
    expect(linksOf('Llama al 11 5555-1234 o (11) 95555-1234, o 5491155551234')).toEqual([
      'tel:1155551234',
      'tel:11955551234',
      'tel:5491155551234',
    ])
    for (const plain of [
      '17/11/2026 a las 10:30',
      '2026-11-17 10',
      'Pedido 12345678',
      '$ 12.500.000',
      '1,250,000.00',
      'a@b',
      'CBU 0170099220000067797370123',
      'x12345678901',
    ])
      expect(linksOf(plain), plain).toEqual([])
    expect(parseRichText('*11 5555-1234*')).toEqual([
      { mark: 'b', parts: [{ link: 'tel:1155551234', text: '11 5555-1234' }] },
    ])
  })
  it('is converted to plain text in a preview', () => {
    expect(stripFormatting('*Hola* www.a.example')).toBe('Hola www.a.example')
  })
  it('separates a signature from the text', () => {
    expect(parseSignature('*Marina Duarte:*\nHola')).toEqual({ name: 'Marina Duarte', text: 'Hola' })
    expect(addSignature('a', 'Ana Ruiz')).toBe('*Ana Ruiz:*\na')
    expect(addSignature('a', null)).toBe('a')
    expect(parseSignature('*Ojo:* esto no')).toEqual({ name: '', text: '*Ojo:* esto no' })
  })
})

describe('message kinds', () => {
  it('reads a location in three parts, with embedded pictures only', () => {
    expect(parseLocationBody('data:image/png;base64,AA|https://maps.google.com/maps?q=1|Cra. 15')).toEqual({
      image: 'data:image/png;base64,AA',
      link: 'https://maps.google.com/maps?q=1',
      name: 'Cra. 15',
      point: null,
    })
    // Without a picture the web client draws its own; names arrive escaped, for clients that render them as HTML.
    const name = '<b>Sol</b> & "Luna" &lt;'
    const sent = escapeLocation(formatStoredLocation({ latitude: 1, longitude: 2, name }).body)
    expect(sent).not.toMatch(/<|"/)
    expect(parseLocationBody(sent)).toMatchObject({ image: '', name, point: { latitude: 1, longitude: 2 } })
    expect(parseLocationBody('https://evil.example/x.png|javascript:x|a|b')).toMatchObject({
      image: '',
      link: '',
      name: 'a|b',
    })
  })
  it('finds the coordinates of a location, and the address in its text', () => {
    expect(parseCoordinates('https://maps.google.com/maps?q=-34.6083%2C-58.3712&z=17')).toEqual({
      latitude: -34.6083,
      longitude: -58.3712,
    })
    expect(parseCoordinates('4.67, -74.05')).toEqual({ latitude: 4.67, longitude: -74.05 })
    for (const nowhere of ['', 'https://maps.google.com/maps?q=Quito', '95, 10', '10, 181'])
      expect(parseCoordinates(nowhere), nowhere).toBeNull()
    expect(formatCoordinates({ latitude: -34.60831234567, longitude: 0 })).toBe('-34.608312, 0')
    expect(splitNameAndAddress('Obelisco, Av. 9 de Julio, Buenos Aires')).toEqual([
      'Obelisco',
      'Av. 9 de Julio, Buenos Aires',
    ])
    expect(splitNameAndAddress('Calle Mayor, 12')).toEqual(['Calle Mayor, 12', ''])
  })
  it('reads several contact cards with folded text lines and escapes', () => {
    const body = [
      'BEGIN:VCARD\nVERSION:3.0\nFN:Ing. Ricardo\\, Peña\nitem1.TEL;type=CELL;waid=573105550148:+57 310 555 0148\nEND:VCARD',
      'BEGIN:VCARD\r\nN:Campos;Lucía;;;\r\nTEL:123\r\n 456\r\nEMAIL;type=HOME:l@c.example\r\nEND:VCARD',
    ].join('\n')
    expect(parseContactCards(body)).toEqual([
      { name: 'Ing. Ricardo, Peña', number: '+57 310 555 0148', email: '' },
      { name: 'Lucía Campos', number: '123456', email: 'l@c.example' },
    ])
    expect(parseContactCards('hola')).toEqual([])
  })
  it('have a one-row summary for each kind', () => {
    const words = { deleted: 'Mensaje eliminado', kinds: { image: 'Foto', locationMessage: 'Ubicación' } }
    const line = (mediaType: string, body: string, isDeleted = false) =>
      summarizeMessage({ mediaType, body, isDeleted }, words)
    expect(line('conversation', '*Ana:*\n*Hola*')).toBe('Hola')
    expect(line('image', '')).toBe('Foto')
    expect(line('image', 'Mira')).toBe('Mira')
    expect(line('locationMessage', '|x|Plaza')).toBe('Plaza')
    expect(line('conversation', '', true)).toBe('Mensaje eliminado')
  })
})
