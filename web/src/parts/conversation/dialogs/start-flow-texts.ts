import { defineTexts } from '../../../lib/texts.ts'

export const startFlowTexts = defineTexts({
  es: {
    title: 'Iniciar un flujo',
    search: 'Buscar un flujo',
    none: 'Ningún flujo coincide.',
    failed: 'No se pudieron cargar los flujos.',
    loading: 'Cargando los flujos',
    started: (name: string) => `Se inició ${name}`,
    close: 'Cerrar',
  },
  pt: {
    title: 'Iniciar um fluxo',
    search: 'Buscar um fluxo',
    none: 'Nenhum fluxo corresponde.',
    failed: 'Não foi possível carregar os fluxos.',
    loading: 'Carregando os fluxos',
    started: (name) => `${name} foi iniciado`,
    close: 'Fechar',
  },
  en: {
    title: 'Start a flow',
    search: 'Search for a flow',
    none: 'No flow matches.',
    failed: "The flows couldn't be loaded.",
    loading: 'Loading the flows',
    started: (name) => `${name} has started`,
    close: 'Close',
  },
})
