import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    title: 'Ajustes',
    tabs: {
      options: 'Opciones',
      schedules: 'Horario',
      holidays: 'Feriados',
      wording: 'Textos automáticos',
      audit: 'Registro',
      companies: 'Empresas',
      plans: 'Planes',
      helps: 'Videos de ayuda',
    },
    failed: 'No pudimos cargar los ajustes',
    schedules: {
      line: 'Fuera de este horario, tus clientes reciben una vez el mensaje de fuera de horario de la línea.',
      save: 'Guardar horario',
      saved: 'Horario guardado',
    },
  },
  pt: {
    title: 'Ajustes',
    tabs: {
      options: 'Opções',
      schedules: 'Horário',
      holidays: 'Feriados',
      wording: 'Textos automáticos',
      audit: 'Registro',
      companies: 'Empresas',
      plans: 'Planos',
      helps: 'Vídeos de ajuda',
    },
    failed: 'Não conseguimos carregar os ajustes',
    schedules: {
      line: 'Fora deste horário, seus clientes recebem uma vez a mensagem de fora do horário da linha.',
      save: 'Salvar horário',
      saved: 'Horário salvo',
    },
  },
  en: {
    title: 'Settings',
    tabs: {
      options: 'Options',
      schedules: 'Business hours',
      holidays: 'Holidays',
      wording: 'Automatic texts',
      audit: 'Audit log',
      companies: 'Companies',
      plans: 'Plans',
      helps: 'Help videos',
    },
    failed: 'We could not load the settings',
    schedules: {
      line: "Outside these hours your customers get the line's out-of-hours message, once.",
      save: 'Save business hours',
      saved: 'Business hours saved',
    },
  },
})
