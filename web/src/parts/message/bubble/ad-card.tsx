import type { Ad } from '@recado/contract/campaigns/ads'
import { IconAd2 } from '@tabler/icons-react'
import { defineTexts, useTexts } from '../../../lib/texts.ts'
import classes from './ad-card.module.css'

const adTexts = defineTexts({
  es: { cameFrom: 'Llegó por un anuncio', open: 'Ver el anuncio' },
  pt: { cameFrom: 'Veio de um anúncio', open: 'Ver o anúncio' },
  en: { cameFrom: 'Came from an ad', open: 'View ad' },
})

/** The ad that made the customer write. Its picture is left out: the vendor's server would see who reads the ticket. */
export function AdCard({ ad: { title, body, url } }: { ad: Ad }) {
  const words = useTexts(adTexts)
  return (
    <aside className={classes.card} aria-label={words.cameFrom}>
      <small>
        <IconAd2 size={14} stroke={1.75} aria-hidden="true" />
        {words.cameFrom}
      </small>
      <b>{title}</b>
      {body && body !== title && <span>{body}</span>}
      {url && (
        <a href={url} target="_blank" rel="noopener noreferrer nofollow">
          {words.open}
        </a>
      )}
    </aside>
  )
}
