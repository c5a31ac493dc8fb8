import { defineTexts } from '../../lib/texts.ts'

/** Texts of the test line and of its sample customers, each of whom has already written. */
export const testLineTexts = defineTexts({
  es: {
    name: 'Teléfono de prueba',
    customers: [
      ['Lucía Campos', 'Hola, ¿hacen envíos a Córdoba?'],
      ['Rafael Teixeira', 'Buenas tardes. Mi pedido 2043 todavía no llega.'],
      ['Valentina Ríos', '¿Cuánto cuesta el plan anual?'],
      ['Hernán Paz', '¿A qué hora abren mañana?'],
    ] as readonly (readonly [name: string, words: string])[],
  },
  pt: {
    name: 'Telefone de teste',
    customers: [
      ['Beatriz Lima', 'Oi, vocês entregam em Curitiba?'],
      ['Rafael Teixeira', 'Boa tarde. Meu pedido 2043 ainda não chegou.'],
      ['Lucía Campos', 'Quanto custa o plano anual?'],
      ['Hernán Paz', 'A que horas vocês abrem amanhã?'],
    ],
  },
  en: {
    name: 'Test phone',
    customers: [
      ['Lucía Campos', 'Hi, do you ship to other cities?'],
      ['Rafael Teixeira', "Good afternoon. My order 2043 hasn't arrived yet."],
      ['Valentina Ríos', 'How much is the yearly plan?'],
      ['Hernán Paz', 'What time do you open tomorrow?'],
    ],
  },
})
