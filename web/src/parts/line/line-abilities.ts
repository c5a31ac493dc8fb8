import type { Ability } from '@recado/contract/connections'
import { useSession } from '../../lib/session.tsx'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { useLines } from './use-lines.ts'

/** Texts for abilities that a line's provider does not support. */
export const unsupportedAbilityTexts = defineTexts({
  es: {
    edit: 'Esta línea no puede editar mensajes enviados.',
    revoke: 'Esta línea no puede eliminar mensajes ya enviados.',
    reaction: 'Esta línea no puede enviar reacciones.',
    typing: 'Esta línea no muestra cuándo alguien escribe.',
    location: 'Esta línea no puede enviar ubicaciones.',
    contact: 'Esta línea no puede enviar contactos.',
    groups: 'Esta línea no admite grupos.',
    profilePicture: 'Esta línea no recibe las fotos de perfil.',
    contacts: 'Esta línea no tiene contactos para importar.',
    history: 'Esta línea no tiene mensajes anteriores para importar.',
  } as Record<Ability, string>,
  pt: {
    edit: 'Esta linha não pode editar mensagens enviadas.',
    revoke: 'Esta linha não pode excluir mensagens já enviadas.',
    reaction: 'Esta linha não pode enviar reações.',
    typing: 'Esta linha não mostra quando alguém escreve.',
    location: 'Esta linha não pode enviar localizações.',
    contact: 'Esta linha não pode enviar contatos.',
    groups: 'Esta linha não aceita grupos.',
    profilePicture: 'Esta linha não recebe as fotos de perfil.',
    contacts: 'Esta linha não tem contatos para importar.',
    history: 'Esta linha não tem mensagens anteriores para importar.',
  },
  en: {
    edit: "This line can't edit sent messages.",
    revoke: "This line can't delete sent messages.",
    reaction: "This line can't send reactions.",
    typing: "This line doesn't show when someone is typing.",
    location: "This line can't send locations.",
    contact: "This line can't send contacts.",
    groups: "This line doesn't support groups.",
    profilePicture: "This line doesn't get profile pictures.",
    contacts: 'This line has no contacts to import.',
    history: 'This line has no earlier messages to import.',
  },
})

/** Why this line does not support an ability; empty when it does, or while the line is unknown. */
export function useUnsupportedReason(lineId: number | null): (ability: Ability) => string {
  const words = useTexts(unsupportedAbilityTexts)
  // An expired company may read messages, but not its lines.
  const line = useLines(!useSession().user?.company.expired).data?.find(({ id }) => id === lineId)
  return (ability) => (line?.cannot.includes(ability) ? words[ability] : '')
}
