-- As every key of companies does. Whose a passkey is, it says itself (its user handle), so nobody looks in all of them.
alter table passkeys drop constraint passkeys_pkey, add primary key ("companyId", id);
drop index "passkeys_credential_key";
create unique index "passkeys_credential_key" on passkeys ("companyId", "credentialId");
