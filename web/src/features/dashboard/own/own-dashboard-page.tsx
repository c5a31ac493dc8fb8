import { DashboardPage } from '../dashboard-page.tsx'

/** The same page: its content depends on the reader. */
export const OwnDashboardPage = () => <DashboardPage />
