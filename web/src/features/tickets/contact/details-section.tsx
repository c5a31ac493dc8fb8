import { displayLanguageName } from '../../../lib/language-name.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import type { useContact } from '../../../parts/use-contact.ts'
import classes from './contact-drawer.module.css'
import { DrawerSection } from './drawer-section.tsx'
import { texts } from './texts.ts'

/** Additional facts about this contact. */
export function DetailsSection({ query }: { query: ReturnType<typeof useContact> }) {
  const words = useTexts(texts)
  const [reader] = useLanguage()
  const language = query.data?.language
  const details = query.data?.extraInfo ?? []
  return (
    <DrawerSection title={words.details} state={query} emptyText={details.length === 0 && !language && words.noDetails}>
      <dl className={classes.details}>
        {language && (
          <div>
            <dt>{words.language}</dt>
            <dd>{displayLanguageName(language, reader)}</dd>
          </div>
        )}
        {details.map(({ id, name, value }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>{/^https?:\/\/\S+$/i.test(value) ? <ExternalLink address={value} /> : value}</dd>
          </div>
        ))}
      </dl>
    </DrawerSection>
  )
}

const ExternalLink = ({ address }: { address: string }) => (
  <a href={address} target="_blank" rel="noreferrer noopener">
    {address.replace(/^https?:\/\//i, '')}
  </a>
)
