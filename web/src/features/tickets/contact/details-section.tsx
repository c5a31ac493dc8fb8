import { displayLanguageName } from '../../../lib/language-name.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import { useAllUsers } from '../../../parts/select-option-queries.ts'
import type { useContact } from '../../../parts/use-contact.ts'
import classes from './contact-drawer.module.css'
import { DrawerSection } from './drawer-section.tsx'
import { texts } from './texts.ts'

/** Additional facts about this contact. */
export function DetailsSection({ query }: { query: ReturnType<typeof useContact> }) {
  const words = useTexts(texts)
  const [reader] = useLanguage()
  const language = query.data?.language
  const ownerId = query.data?.ownerId ?? null
  const { data: users = [] } = useAllUsers(ownerId !== null)
  const owner = users.find(({ id }) => id === ownerId)
  const details = query.data?.extraInfo ?? []
  return (
    <DrawerSection
      title={words.details}
      state={query}
      emptyText={details.length === 0 && !language && !owner && words.noDetails}
    >
      <dl className={classes.details}>
        {owner && (
          <div>
            <dt>{words.owner}</dt>
            <dd>{owner.name}</dd>
          </div>
        )}
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
