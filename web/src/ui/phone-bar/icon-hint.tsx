import { defineTexts, useTexts } from '../../lib/texts.ts'
import classes from './icon-hint.module.css'

const texts = defineTexts({
  es: {
    invite: 'Invitar',
    try: 'Probar',
    new: 'Nuevo',
    ticket: 'Ticket',
    plan: 'Plan',
    preview: 'Vista',
    link: 'Enlace',
  },
  pt: { invite: 'Convidar', try: 'Testar', new: 'Novo', ticket: 'Ticket', plan: 'Plano', preview: 'Ver', link: 'Link' },
  en: { invite: 'Invite', try: 'Try', new: 'New', ticket: 'Ticket', plan: 'Plan', preview: 'Preview', link: 'Link' },
})

/**
 * A short word below an icon that does not explain itself, where a phone has no room for the button's label. Screen
 * readers read the label.
 */
export function IconHint({ word }: { word: keyof (typeof texts)['es'] }) {
  return <IconHintText>{useTexts(texts)[word]}</IconHintText>
}

export const IconHintText = ({ children }: { children: string }) => (
  <span className={classes.hint} data-icon-hint aria-hidden="true">
    {children}
  </span>
)
