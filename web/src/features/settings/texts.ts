import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    title: 'Ajustes',
    tabs: {
      options: 'Opciones',
      schedules: 'Horario',
      companies: 'Empresas',
      plans: 'Planes',
      helps: 'Videos de ayuda',
    },
    failed: 'No pudimos cargar los ajustes',
    schedules: {
      line: 'Fuera de este horario, tus clientes reciben el mensaje de fuera de horario de la línea.',
      save: 'Guardar horario',
      saved: 'Horario guardado',
    },
  },
  pt: {
    title: 'Ajustes',
    tabs: {
      options: 'Opções',
      schedules: 'Horário',
      companies: 'Empresas',
      plans: 'Planos',
      helps: 'Vídeos de ajuda',
    },
    failed: 'Não conseguimos carregar os ajustes',
    schedules: {
      line: 'Fora deste horário, seus clientes recebem a mensagem de fora do expediente da linha.',
      save: 'Salvar horário',
      saved: 'Horário salvo',
    },
  },
  en: {
    title: 'Settings',
    tabs: {
      options: 'Options',
      schedules: 'Business hours',
      companies: 'Companies',
      plans: 'Plans',
      helps: 'Help videos',
    },
    failed: 'We could not load the settings',
    schedules: {
      line: "Outside these hours your customers get the line's out-of-hours message.",
      save: 'Save business hours',
      saved: 'Business hours saved',
    },
  },
})
