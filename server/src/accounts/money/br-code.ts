import { maxPixCityLength, maxPixNameLength, toBankText } from '@recado/contract/money/pix'

/**
 * The text in a Pix QR code: the Brazilian form of the EMV merchant-presented code. Each field has two digits of
 * name, two digits of length and the value; the last field is a checksum of all fields before it.
 */
type BrCodeFields = { key: string; name: string; city: string; cents: number; txid: string }

const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`

/** CRC-16 as the manual specifies: polynomial 0x1021, initial value 0xFFFF. */
export function computeCrc16(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

export function buildBrCode({ key, name, city, cents, txid }: BrCodeFields): string {
  const fields = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key)),
    field('52', '0000'),
    field('53', '986'),
    field('54', `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`),
    field('58', 'BR'),
    field('59', toBankText(name, maxPixNameLength)),
    field('60', toBankText(city, maxPixCityLength)),
    field('62', field('05', txid)),
    '6304',
  ].join('')
  return fields + computeCrc16(fields)
}
