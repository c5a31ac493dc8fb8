import { IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { texts } from './texts.ts'
import classes from './top-bar.module.css'
import { TopBarButton } from './top-bar-button.tsx'

/** Reloads all data of the screen and the session, without losing typed text. */
export function useRefreshScreen(): { isRefreshing: boolean; refresh: () => void } {
  const client = useQueryClient()
  const { reload } = useSession()
  const [isRefreshing, setRefreshing] = useState(false)
  const refresh = async () => {
    setRefreshing(true)
    await Promise.allSettled([reload(), client.invalidateQueries()])
    setRefreshing(false)
  }
  return { isRefreshing: isRefreshing, refresh: () => void refresh() }
}

export function RefreshButton() {
  const words = useTexts(texts)
  const { isRefreshing, refresh } = useRefreshScreen()
  return (
    <TopBarButton label={words.refresh} onClick={refresh} className={isRefreshing ? (classes.turning ?? '') : ''}>
      <IconRefresh size={18} stroke={1.75} />
    </TopBarButton>
  )
}
