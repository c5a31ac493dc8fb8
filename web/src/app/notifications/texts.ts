import { defineTexts } from '../../lib/texts.ts'

/** Texts of the toasts, which every screen loads. */
export const notificationTexts = defineTexts({
  es: {
    assigned: (by: string, customer: string) => `${by} te pasó el ticket de ${customer}`,
    queued: (by: string, customer: string) => `${by} pasó el ticket de ${customer} a tu cola`,
    mention: (by: string, customer: string) => `${by} te mencionó en una nota de ${customer}`,
    held: (_by: string, customer: string) => `Tu mensaje programado para ${customer} quedó en espera: te escribió`,
    unsent: (_by: string, customer: string) => `Tu mensaje para ${customer} no se envió`,
    goal: (_by: string, customer: string) => `El plazo de ${customer} está por vencer`,
    resting: (by: string, _customer: string) => `${by} no responde y está en pausa`,
    'hook-rests': (by: string, _customer: string) => `El webhook ${by} no responde y está en pausa`,
    'hook-off': (by: string, _customer: string) => `El webhook ${by} se desactivó: su dirección ya no existe`,
    'hook-gave-up': (by: string, _customer: string) => `Al webhook ${by} no le llegaron eventos en un día`,
    'line-health': (by: string, _customer: string) => `Meta avisa de un cambio en la línea ${by}: revísala en Líneas`,
    open: 'Abrir',
  },
  pt: {
    assigned: (by: string, customer: string) => `${by} passou o ticket de ${customer} para você`,
    queued: (by: string, customer: string) => `${by} passou o ticket de ${customer} para a sua fila`,
    mention: (by: string, customer: string) => `${by} mencionou você em uma nota de ${customer}`,
    held: (_by: string, customer: string) =>
      `Sua mensagem agendada para ${customer} está em espera: o cliente escreveu`,
    unsent: (_by: string, customer: string) => `Sua mensagem para ${customer} não foi enviada`,
    goal: (_by: string, customer: string) => `O prazo de ${customer} está prestes a vencer`,
    resting: (by: string, _customer: string) => `${by} não responde e está em pausa`,
    'hook-rests': (by: string, _customer: string) => `O webhook ${by} não responde e está em pausa`,
    'hook-off': (by: string, _customer: string) => `O webhook ${by} foi desativado: o endereço não existe mais`,
    'hook-gave-up': (by: string, _customer: string) => `O webhook ${by} não recebeu eventos em um dia`,
    'line-health': (by: string, _customer: string) => `A Meta avisou de uma mudança na linha ${by}: confira em Linhas`,
    open: 'Abrir',
  },
  en: {
    assigned: (by: string, customer: string) => `${by} assigned you ${customer}'s ticket`,
    queued: (by: string, customer: string) => `${by} moved ${customer}'s ticket to your queue`,
    mention: (by: string, customer: string) => `${by} mentioned you in a note about ${customer}`,
    held: (_by: string, customer: string) => `Your scheduled message to ${customer} is on hold: they wrote to you`,
    unsent: (_by: string, customer: string) => `Your message to ${customer} wasn't sent`,
    goal: (_by: string, customer: string) => `${customer}: deadline approaching`,
    resting: (by: string, _customer: string) => `${by} isn't responding and is paused`,
    'hook-rests': (by: string, _customer: string) => `Webhook ${by} isn't responding and is paused`,
    'hook-off': (by: string, _customer: string) => `Webhook ${by} was turned off: its address no longer exists`,
    'hook-gave-up': (by: string, _customer: string) => `Webhook ${by} hasn't received events for a day`,
    'line-health': (by: string, _customer: string) => `Meta reported a change on line ${by}: check it in Lines`,
    open: 'Open',
  },
})
