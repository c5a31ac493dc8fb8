COPY "announcements" ("id", "companyId", "title", "text", "priority", "status", "mediaPath", "mediaName", "createdAt") FROM stdin;
1	1	Platform-6	Platform-7	3	true	\N	\N	2026-11-16 17:52:15.144732+00
\.

COPY "companies" ("id", "name", "email", "phone", "planId", "status", "dueDate", "trialExpiration", "recurrence", "schedules", "platform", "referrerId", "createdAt", "holidays", "rulesVersion") FROM stdin;
1	Recado	super@recado.test		2	true	\N	\N	\N	[{"endTime": "18:00", "weekday": "Segunda-feira", "startTime": "08:00", "weekdayEn": "monday"}, {"endTime": "18:00", "weekday": "Terça-feira", "startTime": "08:00", "weekdayEn": "tuesday"}, {"endTime": "18:00", "weekday": "Quarta-feira", "startTime": "08:00", "weekdayEn": "wednesday"}, {"endTime": "18:00", "weekday": "Quinta-feira", "startTime": "08:00", "weekdayEn": "thursday"}, {"endTime": "18:00", "weekday": "Sexta-feira", "startTime": "08:00", "weekdayEn": "friday"}, {"endTime": "12:00", "weekday": "Sábado", "startTime": "08:00", "weekdayEn": "saturday"}, {"endTime": "00:00", "weekday": "Domingo", "startTime": "00:00", "weekdayEn": "sunday"}]	true	\N	2026-11-16 17:51:15.79213+00	[]	1
2	Casa Sol	admin-f7782d17@desk.test		2	true	\N	\N	MENSAL	[]	false	\N	2026-11-16 17:51:26.584062+00	[]	4
3	Company 2 8a2e477c	admin-9f5052d9@desk.test		2	true	\N	\N	MENSAL	[]	false	\N	2026-11-16 17:52:06.324704+00	[]	5
\.

COPY "contactFields" ("id", "companyId", "contactId", "name", "value") FROM stdin;
1	3	4	Dos-18	
\.

COPY "contactIdentities" ("companyId", "kind", "value", "contactId", "createdAt") FROM stdin;
2	phone	5491155550001	1	2026-11-16 17:51:40.01+00
2	phone	5491155550002	2	2026-11-16 17:51:55.518+00
2	phone	5491155550003	3	2026-11-16 17:51:59.043+00
3	phone	Dos-19	4	2026-11-16 17:52:15.144732+00
\.

COPY "contactMerges" ("id", "companyId", "keptId", "mergedId", "reason", "moved", "at", "undoneAt") FROM stdin;
1	3	4	4	Dos-20	{}	2026-11-16 17:52:15.144732+00	\N
\.

COPY "contacts" ("id", "companyId", "name", "number", "email", "profilePicUrl", "isGroup", "createdAt", "updatedAt", "uuid", "disableBot", "whatsappId", "mergedInto") FROM stdin;
1	2	Sol Ñandú	5491155550001		\N	false	2026-11-16 17:51:39.766+00	2026-11-16 17:51:39.766+00	207cb21d-e1c3-405c-b26c-931cadf84024	false	1	\N
2	2	Río Bravo	5491155550002		\N	false	2026-11-16 17:51:55.46+00	2026-11-16 17:51:55.46+00	bb0ae644-b2b3-4a3d-88b8-67dfceda8256	false	1	\N
3	2	Luz	5491155550003		\N	false	2026-11-16 17:51:58.962+00	2026-11-16 17:51:58.962+00	5765197f-c415-487c-a176-d37c81dbf286	false	1	\N
4	3	Dos-16	Dos-17		\N	false	2026-11-16 17:52:15.144732+00	2026-11-16 17:52:15.144732+00	b44bb83d-aac6-49e6-90c2-8006a447809f	false	2	\N
\.

COPY "fileOptions" ("id", "companyId", "fileId", "name", "position", "mediaPath", "mediaName", "mediaType") FROM stdin;
1	3	1		0	\N	\N	\N
\.

COPY "files" ("id", "companyId", "userId", "name", "message", "createdAt") FROM stdin;
1	3	4	Dos-31	Dos-32	2026-11-16 17:52:15.144732+00
\.

COPY "helps" ("id", "title", "description", "video", "createdAt") FROM stdin;
1	Platform-1			2026-11-16 17:52:15.144732+00
\.

COPY "journal" ("id", "companyId", "whatsappId", "eventId", "chat", "kind", "event", "receivedAt", "processedAt", "attempts", "error", "ticketId", "waitsFor", "steps") FROM stdin;
1	2	1	message:SB5803D1F13919350DC0	5491155550001@s.whatsapp.net	message	{"at": "2026-11-16T17:51:38.511Z", "id": "SB5803D1F13919350DC0", "chat": "5491155550001@s.whatsapp.net", "kind": "message", "fromMe": false, "person": {"phone": "5491155550001"}, "content": {"body": "hola, ¿están?", "kind": "text"}, "pushName": "Sol Ñandú"}	2026-11-16 17:51:38.794+00	2026-11-16 17:51:39.11+00	0	\N	1	\N	[{"why": "before-anything-else", "step": "journalled", "with": {}}, {"why": "new", "step": "contact", "with": {"by": "phone", "name": "Sol Ñandú"}}, {"why": "no-living-ticket", "step": "ticket", "with": {"status": "pending", "ticket": 1}}, {"why": "who-sees-the-ticket", "step": "told", "with": {"user": null, "queue": null, "admins": true, "status": "pending"}}]
2	2	1	message:SBF351E05884547920E7	5491155550001@s.whatsapp.net	message	{"at": "2026-11-16T17:51:41.844Z", "id": "SBF351E05884547920E7", "chat": "5491155550001@s.whatsapp.net", "kind": "message", "fromMe": false, "person": {"phone": "5491155550001"}, "content": {"body": "es por la reserva", "kind": "text"}, "pushName": "Sol Ñandú", "quotedId": "SB5803D1F13919350DC0"}	2026-11-16 17:51:42.051+00	2026-11-16 17:51:42.051+00	0	\N	1	\N	[{"why": "before-anything-else", "step": "journalled", "with": {}}, {"why": "known", "step": "contact", "with": {"by": "phone", "name": "Sol Ñandú"}}, {"why": "joined", "step": "ticket", "with": {"status": "pending", "ticket": 1}}, {"why": "who-sees-the-ticket", "step": "told", "with": {"user": null, "queue": null, "admins": true, "status": "pending"}}]
3	2	1	message:SBAF632BCE16EE5E3343	5491155550001@s.whatsapp.net	message	{"at": "2026-11-16T17:51:43.426Z", "id": "SBAF632BCE16EE5E3343", "chat": "5491155550001@s.whatsapp.net", "kind": "message", "fromMe": false, "person": {"phone": "5491155550001"}, "content": {"key": {"mediaName": "casa.png", "mediaPath": "009mljuR8E82_hdCZ_LjgdqFdHDDOgsN.png"}, "body": "", "kind": "media", "name": "casa.png", "mediaType": "image"}, "pushName": "Sol Ñandú"}	2026-11-16 17:51:43.488+00	2026-11-16 17:51:43.705+00	0	\N	1	\N	[{"why": "before-anything-else", "step": "journalled", "with": {}}, {"why": "known", "step": "contact", "with": {"by": "phone", "name": "Sol Ñandú"}}, {"why": "joined", "step": "ticket", "with": {"status": "open", "ticket": 1}}, {"why": "file-follows", "step": "media", "with": {"name": "casa.png"}}, {"why": "who-sees-the-ticket", "step": "told", "with": {"user": "Ana", "queue": null, "admins": true, "status": "open"}}]
4	2	1	ack:3EB00AC925EA804412536C:ack:2	5491155550001@s.whatsapp.net	ack	{"at": "2026-11-16T17:51:50.551Z", "id": "3EB00AC925EA804412536C:ack:2", "ack": 2, "chat": "5491155550001@s.whatsapp.net", "kind": "ack", "targetId": "3EB00AC925EA804412536C"}	2026-11-16 17:51:50.645+00	2026-11-16 17:51:50.802+00	0	\N	\N	\N	[{"why": "before-anything-else", "step": "journalled", "with": {}}, {"why": "forward-only", "step": "ticked", "with": {}}]
5	2	1	ack:3EB00AC925EA804412536C:ack:3	5491155550001@s.whatsapp.net	ack	{"at": "2026-11-16T17:51:50.551Z", "id": "3EB00AC925EA804412536C:ack:3", "ack": 3, "chat": "5491155550001@s.whatsapp.net", "kind": "ack", "targetId": "3EB00AC925EA804412536C"}	2026-11-16 17:51:50.645+00	2026-11-16 17:51:50.802+00	0	\N	\N	\N	[{"why": "before-anything-else", "step": "journalled", "with": {}}, {"why": "forward-only", "step": "ticked", "with": {}}]
6	2	1	reaction:SBF2BB4FE09FA293D7EE	5491155550001@s.whatsapp.net	reaction	{"at": "2026-11-16T17:51:50.926Z", "id": "SBF2BB4FE09FA293D7EE", "chat": "5491155550001@s.whatsapp.net", "from": "5491155550001", "kind": "reaction", "name": "Sol Ñandú", "emoji": "👍", "fromMe": false, "targetId": "SB5803D1F13919350DC0"}	2026-11-16 17:51:51.068+00	2026-11-16 17:51:51.153+00	0	\N	1	\N	[{"why": "before-anything-else", "step": "journalled", "with": {}}, {"why": "by-the-customer", "step": "reacted", "with": {}}]
7	2	1	message:SB15D3DAA4FB48352237	5491155550001@s.whatsapp.net	message	{"at": "2026-11-16T17:51:52.097Z", "id": "SB15D3DAA4FB48352237", "chat": "5491155550001@s.whatsapp.net", "kind": "message", "fromMe": false, "person": {"phone": "5491155550001"}, "content": {"body": "una cosa más", "kind": "text"}, "pushName": "Sol Ñandú"}	2026-11-16 17:51:52.213+00	2026-11-16 17:51:52.303+00	0	\N	2	\N	[{"why": "before-anything-else", "step": "journalled", "with": {}}, {"why": "known", "step": "contact", "with": {"by": "phone", "name": "Sol Ñandú"}}, {"why": "no-living-ticket", "step": "ticket", "with": {"status": "pending", "ticket": 2}}, {"why": "who-sees-the-ticket", "step": "told", "with": {"user": null, "queue": null, "admins": true, "status": "pending"}}]
8	2	1	message:SB6F76E8E36F7558FD00	5491155550002@s.whatsapp.net	message	{"at": "2026-11-16T17:51:54.820Z", "id": "SB6F76E8E36F7558FD00", "chat": "5491155550002@s.whatsapp.net", "kind": "message", "fromMe": false, "person": {"phone": "5491155550002"}, "content": {"body": "precio?", "kind": "text"}, "pushName": "Río Bravo"}	2026-11-16 17:51:55.151+00	2026-11-16 17:51:55.246+00	0	\N	3	\N	[{"why": "before-anything-else", "step": "journalled", "with": {}}, {"why": "new", "step": "contact", "with": {"by": "phone", "name": "Río Bravo"}}, {"why": "no-living-ticket", "step": "ticket", "with": {"status": "pending", "ticket": 3}}, {"why": "who-sees-the-ticket", "step": "told", "with": {"user": null, "queue": null, "admins": true, "status": "pending"}}]
9	2	1	message:SB45F7CE58C3A2516AA9	5491155550003@s.whatsapp.net	message	{"at": "2026-11-16T17:51:57.321Z", "id": "SB45F7CE58C3A2516AA9", "chat": "5491155550003@s.whatsapp.net", "kind": "message", "fromMe": false, "person": {"phone": "5491155550003"}, "content": {"body": "buenas", "kind": "text"}, "pushName": "Luz"}	2026-11-16 17:51:58.21+00	2026-11-16 17:51:58.509+00	0	\N	4	\N	[{"why": "before-anything-else", "step": "journalled", "with": {}}, {"why": "new", "step": "contact", "with": {"by": "phone", "name": "Luz"}}, {"why": "no-living-ticket", "step": "ticket", "with": {"status": "pending", "ticket": 4}}, {"why": "who-sees-the-ticket", "step": "told", "with": {"user": null, "queue": null, "admins": true, "status": "pending"}}]
10	3	1	Dos-2	Dos-3	Dos-4	{}	2026-11-17 17:52:14.967+00	2026-11-16 17:51:05.699+00	0	\N	\N	\N	[]
\.

COPY "lineErrands" ("id", "companyId", "whatsappId", "errand", "attempts", "notBefore") FROM stdin;
6	3	2	{}	0	2026-11-17 17:52:14.967+00
\.

COPY "lineLeases" ("whatsappId", "companyId", "holder", "fence", "until") FROM stdin;
2	3	Dos-21	1	2026-11-17 17:52:14.967+00
1	2	vm:29724:84dbc833-4d13-422a-90b3-08d1603d23dd	1	-infinity
\.

COPY "liveWords" ("id", "created_at", "payload") FROM stdin;
1	2026-11-16 17:52:15.144732+00	\N
\.

COPY "menuTests" ("id", "companyId", "queueId", "whatsappId", "name", "steps", "createdAt") FROM stdin;
1	3	2	2	Dos-22	[]	2026-11-16 17:52:15.144732+00
\.

COPY "messages" ("id", "companyId", "ticketId", "contactId", "whatsappId", "senderId", "userId", "wid", "clientId", "fromMe", "body", "mediaType", "mediaPath", "mediaName", "mediaState", "mediaKey", "quotedWid", "ack", "state", "error", "read", "isDeleted", "isEdited", "bot", "reactions", "createdAt", "storedAt") FROM stdin;
2	2	1	1	1	\N	\N	SBF351E05884547920E7	\N	false	es por la reserva	conversation	\N	\N	none	\N	SB5803D1F13919350DC0	0	received	\N	true	false	false	\N	[]	2026-11-16 17:51:41.844+00	2026-11-16 17:51:42.051+00
3	2	1	1	1	\N	\N	SBAF632BCE16EE5E3343	\N	false		image	YFOzpV1PP7dPqsy6T1gclYra1GhUsJYY.png	casa.png	ready	{"mediaName": "casa.png", "mediaPath": "009mljuR8E82_hdCZ_LjgdqFdHDDOgsN.png"}	\N	0	received	\N	true	false	false	\N	[]	2026-11-16 17:51:43.426+00	2026-11-16 17:51:48.493+00
4	2	1	1	1	\N	2	3EB00AC925EA804412536C	\N	true	Hola Sol, ya la busco	conversation	\N	\N	none	\N	\N	3	sent	\N	true	false	false	\N	[]	2026-11-16 17:51:49.277+00	2026-11-16 17:51:49.277+00
1	2	1	1	1	\N	\N	SB5803D1F13919350DC0	\N	false	hola, ¿están?	conversation	\N	\N	none	\N	\N	0	received	\N	true	false	false	\N	[{"from": "5491155550001", "name": "Sol Ñandú", "emoji": "👍", "fromMe": false}]	2026-11-16 17:51:38.511+00	2026-11-16 17:51:41.023+00
5	2	2	1	1	\N	\N	SB15D3DAA4FB48352237	\N	false	una cosa más	conversation	\N	\N	none	\N	\N	0	received	\N	false	false	false	\N	[]	2026-11-16 17:51:52.097+00	2026-11-16 17:51:52.594+00
6	2	3	2	1	\N	\N	SB6F76E8E36F7558FD00	\N	false	precio?	conversation	\N	\N	none	\N	\N	0	received	\N	false	false	false	\N	[]	2026-11-16 17:51:54.82+00	2026-11-16 17:51:56.077+00
7	2	4	3	1	\N	\N	SB45F7CE58C3A2516AA9	\N	false	buenas	conversation	\N	\N	none	\N	\N	0	received	\N	false	false	false	\N	[]	2026-11-16 17:51:57.321+00	2026-11-16 17:51:59.71+00
8	3	5	1	1	\N	\N	Dos-40	\N	true		conversation	\N	\N	none	\N	\N	0	failed	\N	false	false	false	\N	[]	2026-11-17 17:52:15.088+00	2026-11-16 17:52:15.144732+00
\.

COPY "passwordResets" ("userId", "companyId", "codeHash", "tries", "expiresAt") FROM stdin;
4	3	Dos-33	0	2026-11-17 17:52:14.968+00
\.

COPY "plans" ("id", "name", "users", "connections", "queues", "value", "useCampaigns", "useKanban", "useOpenAi", "useIntegrations", "useSchedules", "useInternalChat", "useExternalApi", "createdAt") FROM stdin;
1	Esencial	10	2	10	30.00	true	true	true	true	true	true	true	2026-11-16 17:49:39.643099+00
2	Completo	25	10	25	90.00	true	true	true	true	true	true	true	2026-11-16 17:49:39.643099+00
3	Platform-5	100000	100000	100000	0.00	true	true	true	true	true	true	true	2026-11-16 17:52:15.144732+00
\.

COPY "platformSecrets" ("name", "sealed") FROM stdin;
vapid	y41nioGo5xR0td2scezk35Pdnccpola6U_wVR7bFuXjnCnLVEKZ2POHGmf50pMoetZL-Q_DLW3A6D0ev8443z2yKAvqml0vtTzDP1uHEnruCgbWVtNnccNGO8UNnJWJiu2RJoKlYkKD6kNR51RoH9UZV2oA2wT_afsgs5re_gWAgcxYEYjYyqbOYN7pA3q9veIc427is6sKOH4SiLlSFxEU65cLq-_vwH4LxwNLJEmSh35BrbDuHAspt7KNUgA
Dos-8	Dos-9
\.

COPY "pushSubscriptions" ("id", "companyId", "userId", "sessionId", "endpoint", "p256dh", "auth", "createdAt") FROM stdin;
1	3	4	d20f97f7-48e0-4806-b3a7-40b222d8e108	Dos-34	Dos-35	Dos-36	2026-11-16 17:52:15.144732+00
\.

COPY "queueOptions" ("id", "companyId", "queueId", "parentId", "option", "title", "message", "leads", "forwardQueueId", "createdAt", "updatedAt") FROM stdin;
1	3	2	\N	1	Dos-12		person	2	2026-11-16 17:52:15.144732+00	2026-11-16 17:52:15.144732+00
\.

COPY "queues" ("id", "companyId", "name", "color", "orderQueue", "greetingMessage", "complationMessage", "outOfHoursMessage", "ratingMessage", "createdAt", "updatedAt", "integrationId", "promptId", "schedules") FROM stdin;
1	2	Ventas	#100001	\N					2026-11-16 17:51:35.653512+00	2026-11-16 17:51:35.653512+00	\N	\N	[{"endTime": "18:00", "weekday": "Segunda-feira", "startTime": "08:00", "weekdayEn": "monday"}, {"endTime": "18:00", "weekday": "Terça-feira", "startTime": "08:00", "weekdayEn": "tuesday"}, {"endTime": "18:00", "weekday": "Quarta-feira", "startTime": "08:00", "weekdayEn": "wednesday"}, {"endTime": "18:00", "weekday": "Quinta-feira", "startTime": "08:00", "weekdayEn": "thursday"}, {"endTime": "18:00", "weekday": "Sexta-feira", "startTime": "08:00", "weekdayEn": "friday"}, {"endTime": "12:00", "weekday": "Sábado", "startTime": "08:00", "weekdayEn": "saturday"}, {"endTime": "00:00", "weekday": "Domingo", "startTime": "00:00", "weekdayEn": "sunday"}]
2	3	Dos-10	Dos-11	\N					2026-11-16 17:52:15.144732+00	2026-11-16 17:52:15.144732+00	\N	\N	[]
\.

COPY "quickMessages" ("id", "companyId", "userId", "shortcode", "message", "geral", "status", "mediaPath", "mediaName", "createdAt") FROM stdin;
1	2	2	hola	Hola {{firstName}}	false	true	\N	\N	2026-11-16 17:52:01.958418+00
2	3	4	Dos-37		false	true	\N	\N	2026-11-16 17:52:15.144732+00
\.

COPY "ratingRequests" ("companyId", "ticketId", "userId", "messageId", "asked", "askedAt", "until") FROM stdin;
3	5	4	1	1	2026-11-17 17:52:15.088+00	2026-11-17 17:52:15.088+00
\.

COPY "sandboxCustomers" ("companyId", "whatsappId", "number", "name", "isGroup", "members", "typingUntil", "createdAt") FROM stdin;
2	1	5491155550001	Sol Ñandú	false	{}	\N	2026-11-16 17:51:38.544784+00
2	1	5491155550002	Río Bravo	false	{}	\N	2026-11-16 17:51:54.854716+00
2	1	5491155550003	Luz	false	{}	\N	2026-11-16 17:51:57.353078+00
3	2	Dos-23	Dos-24	false	{}	\N	2026-11-16 17:52:15.144732+00
\.

COPY "sandboxMessages" ("seq", "companyId", "whatsappId", "chat", "id", "fromCustomer", "author", "kind", "body", "content", "mediaPath", "mediaName", "mediaType", "quotedId", "reaction", "isDeleted", "isEdited", "ack", "at", "delivered") FROM stdin;
3	2	1	5491155550001	SBAF632BCE16EE5E3343	true	\N	image		{}	009mljuR8E82_hdCZ_LjgdqFdHDDOgsN.png	casa.png	image/png	\N	\N	false	false	4	2026-11-16 17:51:43.426+00	true
2	2	1	5491155550001	SBF351E05884547920E7	true	\N	text	es por la reserva	{}	\N	\N	\N	SB5803D1F13919350DC0	\N	false	false	4	2026-11-16 17:51:41.844+00	true
4	2	1	5491155550001	3EB00AC925EA804412536C	false	\N	text	Hola Sol, ya la busco	{}	\N	\N	\N	\N	\N	false	false	3	2026-11-16 17:51:50.551+00	true
1	2	1	5491155550001	SB5803D1F13919350DC0	true	\N	text	hola, ¿están?	{}	\N	\N	\N	\N	👍	false	false	4	2026-11-16 17:51:38.511+00	true
6	2	1	5491155550001	SBF2BB4FE09FA293D7EE	true	\N	reaction	👍	{"targetId": "SB5803D1F13919350DC0"}	\N	\N	\N	\N	\N	false	false	3	2026-11-16 17:51:50.926+00	true
7	2	1	5491155550001	SB15D3DAA4FB48352237	true	\N	text	una cosa más	{}	\N	\N	\N	\N	\N	false	false	3	2026-11-16 17:51:52.097+00	true
8	2	1	5491155550002	SB6F76E8E36F7558FD00	true	\N	text	precio?	{}	\N	\N	\N	\N	\N	false	false	3	2026-11-16 17:51:54.82+00	true
9	2	1	5491155550003	SB45F7CE58C3A2516AA9	true	\N	text	buenas	{}	\N	\N	\N	\N	\N	false	false	3	2026-11-16 17:51:57.321+00	true
10	3	2	Dos-25	Dos-26	false	\N	Dos-27		{}	\N	\N	\N	\N	\N	false	false	1	2026-11-17 17:52:14.968+00	true
\.

COPY "sandboxPhones" ("whatsappId", "companyId", "linked", "behaviour") FROM stdin;
1	2	true	{}
2	3	false	{}
\.

COPY "sessions" ("userId", "companyId", "id", "generation", "rotatedAt", "expiresAt") FROM stdin;
2	2	eec800a4-e5fa-4bc4-85c5-5a1eb48d0adf	0	2026-11-16 17:51:29.949+00	2026-11-23 17:51:29.949+00
3	2	88d86de9-04dd-441a-8ace-f63433bfd63d	0	2026-11-16 17:51:38.148+00	2026-11-23 17:51:38.148+00
4	3	1a23c179-ded8-48d3-9675-b7131a338f62	0	2026-11-16 17:52:09.976+00	2026-11-23 17:52:09.976+00
\.

COPY "settings" ("companyId", "key", "value") FROM stdin;
1	campaignsEnabled	true
2	userRating	enabled
2	timezone	America/Argentina/Buenos_Aires
3	Dos-13	Dos-14
\.

COPY "tags" ("id", "companyId", "name", "color", "kanban", "userId", "createdAt") FROM stdin;
1	2	VIP	#2f9e44	0	2	2026-11-16 17:51:54.16077+00
2	3	Dos-38	Dos-39	0	4	2026-11-16 17:52:15.144732+00
\.

COPY "ticketEvents" ("id", "companyId", "ticketId", "userId", "kind", "steps", "at") FROM stdin;
1	2	1	2	accept	[{"why": "by-person", "step": "accepted", "with": {"user": "Ana"}}]	2026-11-16 17:51:42.23+00
2	2	1	2	resolve	[{"why": "by-person", "step": "resolved", "with": {}}]	2026-11-16 17:51:51.83+00
3	2	2	2	accept	[{"why": "by-person", "step": "accepted", "with": {"user": "Ana"}}]	2026-11-16 17:51:53.904+00
4	3	5	4	Dos-41	[]	2026-11-17 17:52:15.088+00
\.

COPY "ticketNotes" ("id", "companyId", "ticketId", "contactId", "userId", "userName", "note", "createdAt") FROM stdin;
1	2	1	1	2	Ana	Prefiere la mañana	2026-11-16 17:51:51.246+00
2	3	5	4	4	Dos-42	Dos-43	2026-11-16 17:52:15.144732+00
\.

COPY "ticketTags" ("companyId", "ticketId", "tagId") FROM stdin;
2	2	1
3	5	2
\.

COPY "ticketTracking" ("id", "companyId", "ticketId", "whatsappId", "userId", "queuedAt", "startedAt", "ratingAt", "finishedAt", "chatbotAt", "rated", "createdAt") FROM stdin;
1	2	1	1	2	2026-11-16 17:51:40.701+00	2026-11-16 17:51:42.213+00	\N	2026-11-16 17:51:51.805+00	\N	false	2026-11-16 17:51:41.019+00
2	2	2	1	2	2026-11-16 17:51:52.467+00	2026-11-16 17:51:53.887+00	\N	\N	\N	false	2026-11-16 17:51:52.574+00
3	2	3	1	\N	2026-11-16 17:51:55.811+00	\N	\N	\N	\N	false	2026-11-16 17:51:56.057+00
4	2	4	1	\N	2026-11-16 17:51:59.33+00	\N	\N	\N	\N	false	2026-11-16 17:51:59.598+00
5	3	5	2	4	\N	\N	\N	\N	\N	false	2026-11-16 17:52:15.144732+00
\.

COPY "tickets" ("id", "uuid", "companyId", "contactId", "whatsappId", "queueId", "userId", "status", "createdAt", "updatedAt", "lastMessage", "unreadMessages", "isGroup", "chatbot", "useIntegration", "promptId", "integrationId", "fromMe", "queueOptionId", "botWrong", "botMenus", "botMenuAt", "botLeft", "awayTold", "saidMark", "saidAt") FROM stdin;
1	0eb0f381-2f7c-4e9e-9813-a2550d4147d8	2	1	1	\N	2	closed	2026-11-16 17:51:40.701+00	2026-11-16 17:51:51.761+00	Hola Sol, ya la busco	0	false	false	false	\N	\N	true	\N	0	0	\N	false	\N	\N	2026-11-16 17:51:49.277+00
2	927dcf05-6d06-4ca8-a444-2ede003ebb47	2	1	1	\N	2	open	2026-11-16 17:51:52.467+00	2026-11-16 17:51:53.816+00	una cosa más	1	false	false	false	\N	\N	false	\N	0	0	\N	true	\N	\N	\N
3	75fe3cd5-df17-4d9a-8117-8c4e3c4d2f5e	2	2	1	\N	\N	pending	2026-11-16 17:51:55.811+00	2026-11-16 17:51:56.166+00	precio?	1	false	false	false	\N	\N	false	\N	0	0	\N	true	\N	\N	\N
4	dfaac2a5-bd9e-4005-8221-0534702e3fb5	2	3	1	\N	\N	pending	2026-11-16 17:51:59.33+00	2026-11-16 17:51:59.775+00	buenas	1	false	false	false	\N	\N	false	\N	0	0	\N	true	\N	\N	\N
5	c5c3a22a-1a9f-4552-a7c5-726b14c6a65b	3	4	2	2	4	open	2026-11-16 17:52:15.144732+00	2026-11-16 17:52:15.144732+00		0	false	false	false	\N	\N	false	1	0	0	\N	false	\N	\N	\N
\.

COPY "userQueues" ("companyId", "userId", "queueId") FROM stdin;
2	3	1
3	4	2
\.

COPY "userRatings" ("id", "companyId", "ticketId", "userId", "rate", "createdAt") FROM stdin;
1	3	5	4	1	2026-11-17 17:52:15.088+00
\.

COPY "users" ("id", "companyId", "name", "email", "passwordHash", "profile", "super", "active", "allTicket", "whatsappId", "language", "online", "lastSeenAt", "createdAt") FROM stdin;
1	1	Admin	super@recado.test	argon2id$19456$2$HhH4Oq91KIJwHuzWq5t8yg$lk8Be1Aer7XvcipW3Sx7t_HH7MGFJexZq58z66YMS1Y	admin	true	true	enabled	\N	\N	false	\N	2026-11-16 17:51:15.79213+00
2	2	Ana	ana@casasol.example	argon2id$19456$2$Fx4jACFaWMNPe3NWH3HGuA$UmxOAh66oz1FvtEmNdRQk3d3rN0wAAeONpc663AN-N4	admin	false	true	desabled	\N	\N	false	\N	2026-11-16 17:51:26.652336+00
3	2	Beto	beto@casasol.example	argon2id$19456$2$Fx4jACFaWMNPe3NWH3HGuA$UmxOAh66oz1FvtEmNdRQk3d3rN0wAAeONpc663AN-N4	user	false	true	desabled	\N	\N	false	\N	2026-11-16 17:51:36.659058+00
4	3	The admin	admin-9f5052d9@desk.test	argon2id$19456$2$Fx4jACFaWMNPe3NWH3HGuA$UmxOAh66oz1FvtEmNdRQk3d3rN0wAAeONpc663AN-N4	admin	false	true	desabled	\N	\N	false	\N	2026-11-16 17:52:06.474368+00
5	3	Dos-28	Dos-29	Dos-30	user	false	true	desabled	2	\N	false	\N	2026-11-16 17:52:15.144732+00
\.

COPY "whatsappQueues" ("companyId", "whatsappId", "queueId") FROM stdin;
3	2	2
\.

COPY "whatsapps" ("id", "companyId", "name", "status", "isDefault", "createdAt", "updatedAt", "provider", "reason", "number", "qrcode", "retries", "tokenSealed", "tokenHash", "greetingMessage", "complationMessage", "outOfHoursMessage", "ratingMessage", "expiresTicket", "expiresInactiveMessage", "timeToTransfer", "transferQueueId", "promptId", "timeUseBotQueues", "maxUseBotQueues", "wanted", "wantedRound") FROM stdin;
1	2	Line 1	CONNECTED	true	2026-11-16 17:51:31.457+00	2026-11-16 17:51:34.657+00	sandbox		15550000001		0	xWgzPTnc9OJAfIKJq2AGxxdkNt2CXd-8COu5qCppbJz2QckmL8duc-TSuWoPkuLNuKL-hv5w9c-UCi9Ia8PUpDARxKkFE7k	s-n3XDznr66G4y2MmAqqgoEmadHyWU1CFrz73EOTTPg					0		\N	\N	\N	0	3	true	0
2	3	Dos-15	DISCONNECTED	false	2026-11-16 17:52:15.144732+00	2026-11-16 17:52:15.144732+00	sandbox				0		\N					0		\N	2	\N	0	3	false	0
\.

select setval('"announcements_id_seq"', 1);
select setval('"companies_id_seq"', 3);
select setval('"contactFields_id_seq"', 1);
select setval('"contactMerges_id_seq"', 1);
select setval('"contacts_id_seq"', 4);
select setval('"fileOptions_id_seq"', 1);
select setval('"files_id_seq"', 1);
select setval('"helps_id_seq"', 1);
select setval('"journal_id_seq"', 10);
select setval('"lineErrands_id_seq"', 6);
select setval('"liveWords_id_seq"', 1);
select setval('"menuTests_id_seq"', 1);
select setval('"messages_id_seq"', 8);
select setval('"plans_id_seq"', 3);
select setval('"pushSubscriptions_id_seq"', 1);
select setval('"queueOptions_id_seq"', 1);
select setval('"queues_id_seq"', 2);
select setval('"quickMessages_id_seq"', 2);
select setval('"sandboxMessages_seq_seq"', 10);
select setval('"tags_id_seq"', 2);
select setval('"ticketEvents_id_seq"', 4);
select setval('"ticketNotes_id_seq"', 2);
select setval('"ticketTracking_id_seq"', 5);
select setval('"tickets_id_seq"', 5);
select setval('"userRatings_id_seq"', 1);
select setval('"users_id_seq"', 5);
select setval('"whatsapps_id_seq"', 2);
