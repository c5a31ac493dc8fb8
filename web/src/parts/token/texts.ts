import { defineTexts } from '../../lib/texts.ts'

/** A list of choices with a search. */
export const choiceTexts = defineTexts({
  es: { choose: 'Elegir', findHere: 'Buscar aquí', nothingHere: 'Nada con ese nombre', nothingYet: 'Todavía no hay' },
  pt: { choose: 'Escolher', findHere: 'Buscar aqui', nothingHere: 'Nada com esse nome', nothingYet: 'Ainda não há' },
  en: { choose: 'Choose', findHere: 'Search here', nothingHere: 'Nothing with that name', nothingYet: 'None yet' },
})
