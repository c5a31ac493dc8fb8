import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    title: 'API de mensajes',
    tabs: { docs: 'Documentación y prueba', keys: 'Claves y webhooks' },
    inExamples: 'Clave en los ejemplos',
    lines: 'Líneas',
    keys: 'Claves',
    none: 'Todavía no hay ninguna',
    yourKey: 'TU_CLAVE',
  },
  pt: {
    title: 'API de mensagens',
    tabs: { docs: 'Documentação e teste', keys: 'Chaves e webhooks' },
    inExamples: 'Chave nos exemplos',
    lines: 'Linhas',
    keys: 'Chaves',
    none: 'Ainda não há nenhuma',
    yourKey: 'SUA_CHAVE',
  },
  en: {
    title: 'Messages API',
    tabs: { docs: 'Docs and testing', keys: 'Keys and webhooks' },
    inExamples: 'Key used in examples',
    lines: 'Lines',
    keys: 'Keys',
    none: 'None yet',
    yourKey: 'YOUR_KEY',
  },
})
