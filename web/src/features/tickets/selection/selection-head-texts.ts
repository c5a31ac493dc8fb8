import { defineTexts } from '../../../lib/texts.ts'

/** The few texts that load with the list. */
export const selectionHeadTexts = defineTexts({
  es: {
    label: 'Tickets elegidos',
    count: (n: number | string) => (n === 1 ? '1 elegido' : `${n} elegidos`),
    all: (n: number | string) => `Elegir los ${n}`,
    clear: 'Soltar la selección',
    check: (name: string) => `Elegir a ${name}`,
    allShown: 'Elegir todos los de la lista',
    keys: { check: 'Elegir el ticket', extend: 'Elegir también el siguiente' },
    resolve: (n: number | string) => (n === 1 ? 'Resolver 1 ticket' : `Resolver ${n} tickets`),
  },
  pt: {
    label: 'Tickets selecionados',
    count: (n) => (n === 1 ? '1 selecionado' : `${n} selecionados`),
    all: (n) => `Selecionar os ${n}`,
    clear: 'Limpar a seleção',
    check: (name) => `Selecionar ${name}`,
    allShown: 'Selecionar todos da lista',
    keys: { check: 'Selecionar o ticket', extend: 'Selecionar também o próximo' },
    resolve: (n) => (n === 1 ? 'Resolver 1 ticket' : `Resolver ${n} tickets`),
  },
  en: {
    label: 'Selected tickets',
    count: (n) => `${n} selected`,
    all: (n) => `Select all ${n}`,
    clear: 'Clear the selection',
    check: (name) => `Select ${name}`,
    allShown: 'Select all in the list',
    keys: { check: 'Select the ticket', extend: 'Select the next one too' },
    resolve: (n) => (n === 1 ? 'Resolve 1 ticket' : `Resolve ${n} tickets`),
  },
})
