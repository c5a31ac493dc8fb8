import { ActionIcon, Button } from '@mantine/core'
import { type ContactList, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { IconDownload, IconFilter, IconFolderOpen, IconUsersGroup } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatDay, formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ClippedText, MutedText, NameWithMark, TwoLineCell } from '../../../records/cells.tsx'
import { RecordsPage } from '../../../records/records-page.tsx'
import type { TableColumn } from '../../../records/table-column.ts'
import { recordSourceOf } from '../../../records/use-records.ts'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { CampaignLayout } from '../shared/campaign-layout.tsx'
import { downloadExampleSpreadsheet } from './download-example-spreadsheet.ts'
import { texts } from './texts.ts'

const loadForm = () => import('./contact-list-form.tsx').then((module) => ({ default: module.ContactListForm }))
const ContactListForm = lazy(loadForm)

const source = recordSourceOf(contactListsApi)

export function ContactListsPage() {
  const words = useTexts(texts)
  const navigate = useNavigate()
  const open = ({ id }: ContactList) =>
    void navigate({ to: '/contact-lists/$contactListId/contacts', params: { contactListId: String(id) } })
  return (
    <CampaignLayout tab="lists">
      <RecordsPage
        isEmbedded
        source={source}
        words={words.words}
        columns={useColumns()}
        nameOf={(list) => list.name}
        icon={<IconUsersGroup size={26} stroke={1.6} />}
        form={(slot) => <ContactListForm {...slot} />}
        loadForm={loadForm}
        remove={({ id }) => callApi(contactListsApi.remove, { params: { id } })}
        consequence={({ question, contactsCount }) =>
          question ? words.questionGoes : words.rowsGo(contactsCount, formatNumber(contactsCount))
        }
        permissions={{ create: true, edit: () => true, remove: () => true }}
        hasTallRows
        actions={[
          {
            key: 'open',
            label: words.open,
            icon: <IconFolderOpen size={17} stroke={1.75} />,
            isOffered: ({ question }) => question === null,
            run: open,
            direct: words.openNamed,
          },
        ]}
        extraActions={() => <ExampleButton />}
      />
    </CampaignLayout>
  )
}

function ExampleButton() {
  const words = useTexts(texts)
  const icon = <IconDownload size={17} stroke={1.75} />
  if (useIsPhone())
    return (
      <ActionIcon
        variant="default"
        size={44}
        aria-label={words.example}
        onClick={() => void downloadExampleSpreadsheet()}
      >
        {icon}
      </ActionIcon>
    )
  return (
    <Button variant="default" leftSection={icon} onClick={() => void downloadExampleSpreadsheet()}>
      {words.example}
    </Button>
  )
}

function useColumns(): TableColumn<ContactList>[] {
  const words = useTexts(texts)
  const phone = useIsPhone()
  return [
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: ({ name, question }) => (
        <NameWithMark
          mark={
            question ? (
              <IconFilter size={16} stroke={1.75} role="img" aria-label={words.isQuestion} />
            ) : (
              <IconUsersGroup size={16} stroke={1.75} aria-hidden="true" />
            )
          }
        >
          {name}
        </NameWithMark>
      ),
    },
    {
      key: 'contacts',
      head: words.contacts,
      width: 340,
      card: 'line',
      cell: (list) => {
        const counted = words.counted(list.contactsCount, formatNumber(list.contactsCount))
        return phone ? counted : <TwoLineCell first={counted} second={describeListState(list, words)} />
      },
    },
    {
      key: 'created',
      head: words.created,
      width: 130,
      isLowPriority: true,
      cell: ({ createdAt }) => <ClippedText>{formatDay(createdAt)}</ClippedText>,
    },
  ]
}

function describeListState(list: ContactList, words: (typeof texts)['es']) {
  if (list.question) return <MutedText>{words.frozen}</MutedText>
  const unknown = list.contactsCount - list.validCount - list.invalidCount
  if (list.contactsCount === 0) return <MutedText>{words.noRows}</MutedText>
  return [
    words.valid(formatNumber(list.validCount)),
    list.invalidCount > 0 && words.invalid(formatNumber(list.invalidCount)),
    unknown > 0 && words.unknown(formatNumber(unknown)),
  ]
    .filter(Boolean)
    .join(' · ')
}
