import { ActionIcon, Loader, TextInput, Tooltip } from '@mantine/core'
import type { Template } from '@recado/contract/cloud'
import { IconRefresh, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { formatDayTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Chip } from '../../../ui/chip.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { useCloudFailureText } from '../../message/bubble/cloud-failure-texts.ts'
import { searchTemplates, templateExample } from './template-text.ts'
import classes from './templates.module.css'
import { texts } from './texts.ts'
import type { useTemplates } from './use-templates.ts'

type Props = {
  templates: ReturnType<typeof useTemplates>
  selected: Template | null
  onSelect: (template: Template) => void
}

export function TemplateList({
  templates: { query, refresh, isRefreshing: refreshing },
  selected: chosen,
  onSelect,
}: Props) {
  const words = useTexts(texts)
  const failureText = useCloudFailureText()
  const [search, setSearch] = useState('')
  const { data } = query
  const matchingTemplates = searchTemplates(data?.templates ?? [], search)
  return (
    <section className={classes.list} aria-label={words.list}>
      <div className={classes.tools}>
        <TextInput
          className={classes.search ?? ''}
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<IconSearch size={16} stroke={1.75} />}
          value={search}
          data-autofocus
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Tooltip label={words.refresh}>
          <ActionIcon variant="default" size={34} loading={refreshing} aria-label={words.refresh} onClick={refresh}>
            <IconRefresh size={17} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </div>
      {data?.problem && (
        <div className={classes.notice}>
          <InlineNotice kind="warn">{words.problem(failureText(data.problem))}</InlineNotice>
        </div>
      )}
      {query.isPending && <Loader size={22} className={classes.loader ?? ''} />}
      {query.isError && <ErrorState title={words.failed} error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && matchingTemplates.length === 0 && (
        <p className={classes.none} role="status">
          {search ? words.noneFound : words.none}
        </p>
      )}
      <ul className={classes.items}>
        {matchingTemplates.map((template) => (
          <li key={template.id}>
            <Item template={template} isSelected={template.id === chosen?.id} onSelect={onSelect} />
          </li>
        ))}
      </ul>
      {data?.fetchedAt && <p className={classes.asked}>{words.asked(formatDayTime(data.fetchedAt))}</p>}
    </section>
  )
}

type ItemProps = { template: Template; isSelected: boolean; onSelect: Props['onSelect'] }

function Item({ template, isSelected: chosen, onSelect }: ItemProps) {
  const words = useTexts(texts)
  const { unsendable, name, language, category } = template
  return (
    <button
      type="button"
      className={classes.item}
      aria-pressed={chosen}
      aria-disabled={unsendable !== ''}
      onClick={() => unsendable === '' && onSelect(template)}
    >
      <span className={classes.head}>
        <b>{name}</b>
        <Chip>{language}</Chip>
      </span>
      <span className={classes.body}>{templateExample(template)}</span>
      <small>{unsendable === '' ? (words.category[category] ?? category) : words.unsendable[unsendable]}</small>
    </button>
  )
}
