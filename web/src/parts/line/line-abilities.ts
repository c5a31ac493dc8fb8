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
    groups: 'Esta línea no participa en grupos.',
    profilePicture: 'Esta línea no recibe las fotos de perfil.',
    contacts: 'Esta línea no tiene una agenda que importar.',
    history: 'Esta línea no guarda mensajes anteriores que traer.',
  } as Record<Ability, string>,
  pt: {
    edit: 'Esta linha não pode editar mensagens enviadas.',
    revoke: 'Esta linha não pode excluir mensagens já enviadas.',
    reaction: 'Esta linha não pode enviar reações.',
    typing: 'Esta linha não mostra quando alguém escreve.',
    location: 'Esta linha não pode enviar localizações.',
    contact: 'Esta linha não pode enviar contatos.',
    groups: 'Esta linha não participa de grupos.',
    profilePicture: 'Esta linha não recebe as fotos de perfil.',
    contacts: 'Esta linha não tem uma agenda para importar.',
    history: 'Esta linha não guarda mensagens anteriores para trazer.',
  },
  en: {
    edit: 'This line cannot edit sent messages.',
    revoke: 'This line cannot delete messages that were sent.',
    reaction: 'This line cannot send reactions.',
    typing: 'This line does not show when somebody is typing.',
    location: 'This line cannot send locations.',
    contact: 'This line cannot send contacts.',
    groups: 'This line takes no part in groups.',
    profilePicture: 'This line gets no profile pictures.',
    contacts: 'This line has no address book to import.',
    history: 'This line keeps no earlier messages to bring.',
  },
})

/** Why this line does not support an ability; empty when it does, or while the line is unknown. */
export function useUnsupportedReason(lineId: number | null): (ability: Ability) => string {
  const words = useTexts(unsupportedAbilityTexts)
  // An expired company may read messages, but not its lines.
  const line = useLines(!useSession().user?.company.expired).data?.find(({ id }) => id === lineId)
  return (ability) => (line?.cannot.includes(ability) ? words[ability] : '')
}
