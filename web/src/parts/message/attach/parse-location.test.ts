import { expect, it } from 'vitest'
import { parseLocation } from './parse-location.ts'

it('reads links and coordinates copied from maps', () => {
  const there = { latitude: -34.6083, longitude: -58.3712 }
  for (const text of [
    '-34.6083, -58.3712',
    ' -34.6083 -58.3712 ',
    '-34.6083;-58.3712',
    'https://www.google.com/maps/@-34.6083,-58.3712,17z?hl=es',
    'https://maps.google.com/maps?q=-34.6083%2C-58.3712&z=17',
    'https://www.google.com/maps/place/Casa+Rosada/@-34.1,-58.1,17z/data=!3m1!4b1!3d-34.6083!4d-58.3712',
    'https://www.openstreetmap.org/#map=17/-34.6083/-58.3712',
    'geo:-34.6083,-58.3712?z=17',
  ])
    expect(parseLocation(text), text).toEqual(there)
})

it('accepts no other text as coordinates', () => {
  for (const text of ['', 'Av. Corrientes 1234', '95.2, 10', '10, 181', 'https://maps.app.goo.gl/aB3dE', '12'])
    expect(parseLocation(text), text).toBeNull()
})
