import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    title: 'Ajustes',
    tabs: {
      options: 'Opciones',
      schedules: 'Horario',
      holidays: 'Feriados',
      wording: 'Mensajes automáticos',
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
    title: 'Configurações',
    tabs: {
      options: 'Opções',
      schedules: 'Horário',
      holidays: 'Feriados',
      wording: 'Mensagens automáticas',
      audit: 'Registro',
      companies: 'Empresas',
      plans: 'Planos',
      helps: 'Vídeos de ajuda',
    },
    failed: 'Não conseguimos carregar as configurações',
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
      wording: 'Automatic messages',
      audit: 'Audit log',
      companies: 'Companies',
      plans: 'Plans',
      helps: 'Help videos',
    },
    failed: "We couldn't load the settings",
    schedules: {
      line: "Outside these hours, customers get the line's out-of-hours message once.",
      save: 'Save business hours',
      saved: 'Business hours saved',
    },
  },
})
