import { addErrorTexts, type SignupErrorTexts } from '../../../lib/errors.ts'
import { defineTexts } from '../../../lib/texts.ts'

/** Errors of connecting a number with Meta, which no other screen shows. */
addErrorTexts(
  defineTexts<SignupErrorTexts>({
    es: {
      ERR_SIGNUP_OFF: 'Este servidor no tiene configurada la conexión con Meta. Habla con quien lo administra.',
      ERR_SIGNUP_STATE: 'Pasaron más de diez minutos, o esta conexión ya se usó. Empieza de nuevo: no se perdió nada.',
      ERR_SIGNUP_CODE:
        'Meta no aceptó la autorización o no respondió a tiempo. Empieza de nuevo: en el teléfono no cambia nada más.',
      ERR_SIGNUP_NO_ACCOUNT:
        'No compartiste ninguna cuenta de WhatsApp. Empieza de nuevo y, en la ventana de Meta, elige tu cuenta de WhatsApp Business.',
      ERR_SIGNUP_NO_NUMBER:
        'La cuenta que compartiste no tiene ese número, o todavía no tiene ninguno. Empieza de nuevo y agrega el número en la ventana de Meta.',
      ERR_SIGNUP_NUMBER_TAKEN:
        'Este número, u otro de su cuenta de WhatsApp, ya lo usa otra empresa en este servidor. Elimina allí la línea y reintenta.',
      ERR_SIGNUP_META: 'Meta no responde por ahora. La autorización está guardada: reintenta en un momento.',
    },
    pt: {
      ERR_SIGNUP_OFF: 'Este servidor não tem a conexão com a Meta configurada. Fale com quem o administra.',
      ERR_SIGNUP_STATE: 'Passaram mais de dez minutos, ou esta conexão já foi usada. Comece de novo: nada se perdeu.',
      ERR_SIGNUP_CODE:
        'A Meta não aceitou a autorização ou não respondeu a tempo. Comece de novo: no celular nada mais muda.',
      ERR_SIGNUP_NO_ACCOUNT:
        'Você não compartilhou nenhuma conta do WhatsApp. Comece de novo e, na janela da Meta, escolha sua conta do WhatsApp Business.',
      ERR_SIGNUP_NO_NUMBER:
        'A conta compartilhada não tem esse número, ou ainda não tem nenhum. Comece de novo e adicione o número na janela da Meta.',
      ERR_SIGNUP_NUMBER_TAKEN:
        'Este número, ou outro da mesma conta do WhatsApp, já é usado por outra empresa neste servidor. Exclua a linha lá e tente de novo.',
      ERR_SIGNUP_META: 'A Meta não responde no momento. A autorização está guardada: tente de novo daqui a pouco.',
    },
    en: {
      ERR_SIGNUP_OFF: "This server isn't set up to connect with Meta. Contact its admin.",
      ERR_SIGNUP_STATE: 'More than ten minutes have passed, or this was already used. Start over: nothing was lost.',
      ERR_SIGNUP_CODE:
        "Meta didn't accept the authorization or didn't answer in time. Start over: nothing else changes on the phone.",
      ERR_SIGNUP_NO_ACCOUNT:
        "You didn't share a WhatsApp account. Start over and choose your WhatsApp Business account in Meta's window.",
      ERR_SIGNUP_NO_NUMBER:
        "The account you shared doesn't have that number, or has none yet. Start over and add the number in Meta's window.",
      ERR_SIGNUP_NUMBER_TAKEN:
        'This number, or another one of its WhatsApp account, is used by another company on this server. Delete the line there and try again.',
      ERR_SIGNUP_META: "Meta isn't answering right now. Your authorization is saved: try again in a moment.",
    },
  }),
)
