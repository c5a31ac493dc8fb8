import { ActionIcon, Button } from '@mantine/core'
import { type ContactList, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { IconDownload, IconFilter, IconFolderOpen, IconUsersGroup } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy } from 'react'
import { call } from '../../../lib/api.ts'
import { day, number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Clip, Named, Quiet, TwoLines } from '../../../records/cells.tsx'
import type { Column } from '../../../records/column.ts'
import { RecordsPage } from '../../../records/records-page.tsx'
import { sourceOf } from '../../../records/use-records.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { CampaignFrame } from '../frame/campaign-frame.tsx'
import { giveExample } from './example.ts'
import { texts } from './texts.ts'

const loadForm = () => import('./list-form.tsx').then((module) => ({ default: module.ListForm }))
const ListForm = lazy(loadForm)

const source = sourceOf(contactListsApi)

export function ListsPage() {
  const words = useTexts(texts)
  const navigate = useNavigate()
  const open = ({ id }: ContactList) =>
    void navigate({ to: '/contact-lists/$contactListId/contacts', params: { contactListId: String(id) } })
  return (
    <CampaignFrame tab="lists">
      <RecordsPage
        embedded
        source={source}
        words={words.words}
        columns={useColumns()}
        nameOf={(list) => list.name}
        icon={<IconUsersGroup size={26} stroke={1.6} />}
        form={(slot) => <ListForm {...slot} />}
        loadForm={loadForm}
        remove={({ id }) => call(contactListsApi.remove, { params: { id } })}
        consequence={({ question, contactsCount }) =>
          question ? words.questionGoes : words.rowsGo(contactsCount, number(contactsCount))
        }
        may={{ create: true, edit: () => true, remove: () => true }}
        tall
        actions={[
          {
            key: 'open',
            label: words.open,
            icon: <IconFolderOpen size={17} stroke={1.75} />,
            offered: ({ question }) => question === null,
            run: open,
            direct: words.openNamed,
          },
        ]}
        beside={() => <Example />}
      />
    </CampaignFrame>
  )
}

function Example() {
  const words = useTexts(texts)
  const icon = <IconDownload size={17} stroke={1.75} />
  if (usePhone())
    return (
      <ActionIcon variant="default" size={44} aria-label={words.example} onClick={() => void giveExample()}>
        {icon}
      </ActionIcon>
    )
  return (
    <Button variant="default" leftSection={icon} onClick={() => void giveExample()}>
      {words.example}
    </Button>
  )
}

function useColumns(): Column<ContactList>[] {
  const words = useTexts(texts)
  const phone = usePhone()
  return [
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: ({ name, question }) => (
        <Named
          mark={
            question ? (
              <IconFilter size={16} stroke={1.75} role="img" aria-label={words.isQuestion} />
            ) : (
              <IconUsersGroup size={16} stroke={1.75} aria-hidden="true" />
            )
          }
        >
          {name}
        </Named>
      ),
    },
    {
      key: 'contacts',
      head: words.contacts,
      width: 340,
      card: 'line',
      cell: (list) => {
        const counted = words.counted(list.contactsCount, number(list.contactsCount))
        return phone ? counted : <TwoLines first={counted} second={stateOf(list, words)} />
      },
    },
    {
      key: 'created',
      head: words.created,
      width: 130,
      low: true,
      cell: ({ createdAt }) => <Clip>{day(createdAt)}</Clip>,
    },
  ]
}

function stateOf(list: ContactList, words: (typeof texts)['es']) {
  if (list.question) return <Quiet>{words.frozen}</Quiet>
  const unknown = list.contactsCount - list.validCount - list.invalidCount
  if (list.contactsCount === 0) return <Quiet>{words.noRows}</Quiet>
  return [
    words.valid(number(list.validCount)),
    list.invalidCount > 0 && words.invalid(number(list.invalidCount)),
    unknown > 0 && words.unknown(number(unknown)),
  ]
    .filter(Boolean)
    .join(' · ')
}
